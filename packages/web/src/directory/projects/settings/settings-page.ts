import { AccessLevel, type Project } from '@stithy/core'
import type { SideLink } from '../../../platform/design/side-navigation.ts'
import type { FailedForm } from '../../../platform/forms/form-view.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { forbidden } from '../../../platform/pages/refusal.ts'
import type { PageReply } from '../../../platform/pages/reply.ts'
import { sidedPage } from '../../../platform/pages/sided-page.ts'
import { projectAddress } from '../../../platform/text/addresses.ts'
import {
  archivedNotice,
  isManager,
  loadProject,
  projectPlace,
  viewerLevel,
} from '../project-place.ts'

const pages = {
  general: { text: 'General', address: ['edit'] },
  repository: { text: 'Repository', address: ['settings', 'repository'] },
  merge_requests: { text: 'Merge requests', address: ['settings', 'merge_requests'] },
  ci_cd: { text: 'CI/CD', address: ['settings', 'ci_cd'] },
  hooks: { text: 'Webhooks', address: ['hooks'] },
  badges: { text: 'Badges', address: ['settings', 'badges'] },
  pages: { text: 'Pages', address: ['pages'] },
  audit_events: { text: 'Audit events', address: ['audit_events'] },
} as const

/** A page of the settings of a project. */
export type SettingsPage = keyof typeof pages

/** The address of a page of the settings of a project, or of an action below it. */
export function settingsAddress(
  project: string,
  name: SettingsPage,
  ...more: readonly (string | number)[]
): string {
  return projectAddress(project, ...pages[name].address, ...more)
}

/** The project of a page of settings. @throws StithyError 403 for those who may not change them */
export async function loadManagedProject(call: PageCall): Promise<Project> {
  const project = await loadProject(call)
  if (!isManager(project)) throw forbidden()
  return project
}

interface Settings {
  call: Pick<PageCall, 'viewer'>
  project: Project
  current: SettingsPage
  /** Default: the name of the page. */
  title?: string
  /** Buttons at the end of the heading. */
  end?: Html | undefined
  failed?: FailedForm | undefined
  body: Html
  /** What of the page can't be changed while the project is archived. */
  locked?: string
  isSecret?: boolean
}

/** A page of the settings of a project, with links to the others; 422 where a form was refused. */
export async function settingsPage(settings: Settings): Promise<PageReply> {
  const { call, project, current, locked, ...view } = settings
  const path = project.path_with_namespace
  const isOwner = viewerLevel(project, await call.viewer()) >= AccessLevel.owner
  return sidedPage({
    title: pages[current].text,
    ...view,
    of: `Settings · ${path}`,
    place: projectPlace(project, 'settings'),
    label: 'Settings',
    body: html`${locked !== undefined && archivedNotice(project, locked)}${view.body}`,
    links: linksOf(project, isOwner, current),
  })
}

/** Links to the pages that the viewer may read: owners alone read audit events, which a paid tier has. */
function linksOf(project: Project, isOwner: boolean, current: SettingsPage): SideLink[] {
  const hasAudit = isOwner && project.approvals_before_merge !== undefined
  return (Object.keys(pages) as SettingsPage[])
    .filter((name) => name !== 'audit_events' || hasAudit)
    .map((name) => ({
      text: pages[name].text,
      href: settingsAddress(project.path_with_namespace, name),
      isCurrent: name === current,
    }))
}
