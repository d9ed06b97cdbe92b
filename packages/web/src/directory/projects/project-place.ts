import { AccessLevel, type Project } from '@stithy/core'
import { squareAvatar } from '../../platform/design/avatar.ts'
import { badge } from '../../platform/design/badge.ts'
import { notice } from '../../platform/design/card.ts'
import type { Tab } from '../../platform/design/navigation.ts'
import { crumbs } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { isAdministrator, type PageCall, type Viewer } from '../../platform/pages/page-call.ts'
import type { Place } from '../../platform/pages/place.ts'
import { address, projectAddress } from '../../platform/text/addresses.ts'

/** The project of a page. @throws StithyError 404 where the viewer may not see it */
export function loadProject({
  client,
  params,
}: Pick<PageCall, 'client' | 'params'>): Promise<Project> {
  return client.projects.show({ projectId: params.project ?? '' })
}

/** The tabs of a project. */
export type ProjectTab =
  | 'code'
  | 'commits'
  | 'branches'
  | 'issues'
  | 'merge_requests'
  | 'boards'
  | 'wikis'
  | 'snippets'
  | 'activity'
  | 'members'
  | 'environments'
  | 'security'
  | 'settings'

/** What stands around every page of a project. */
export function projectPlace(project: Project, current: ProjectTab): Place {
  const path = project.path_with_namespace
  return {
    label: 'Project',
    project: path,
    header: html`<div class="about">${squareAvatar(project)}${crumbs('Project path', pathCrumbs(path))}
${project.visibility !== undefined && badge(project.visibility, '', project.visibility === 'private' ? 'lock' : 'globe')}
${project.archived === true && badge('archived', 'warning', 'archive')}</div>`,
    tabs: projectTabs(project).map(({ name, ...tab }) => ({ ...tab, isCurrent: name === current })),
  }
}

function pathCrumbs(path: string) {
  const parts = path.split('/')
  return parts.map((text, at) => ({ text, href: address(...parts.slice(0, at + 1)) }))
}

type NamedTab = Tab & { name: ProjectTab }

/** Visitors don't learn which features are on: their links lead to what the API lets them see. */
function projectTabs(project: Project): NamedTab[] {
  const path = project.path_with_namespace
  const tab = (name: ProjectTab, text: string, icon: Tab['icon'], more: Partial<Tab> = {}) => ({
    name,
    text,
    href: projectAddress(path, name),
    ...(icon === undefined ? {} : { icon }),
    ...more,
  })
  const level = accessLevel(project.permissions)
  const isGuest = level > 0 && level < AccessLevel.reporter && project.visibility === 'private'
  return [
    tab('code', 'Code', 'code', { href: projectAddress(path) }),
    ...on(!isGuest, tab('commits', 'Commits', 'git-commit')),
    ...on(!isGuest, tab('branches', 'Branches', 'git-branch')),
    ...on(
      project.issues_enabled,
      tab('issues', 'Issues', 'issue-opened', { count: project.open_issues_count }),
    ),
    ...on(
      isGuest ? false : project.merge_requests_enabled,
      tab('merge_requests', 'Merge requests', 'git-pull-request'),
    ),
    ...on(project.issues_enabled, tab('boards', 'Boards', 'project')),
    ...on(project.wiki_enabled, tab('wikis', 'Wiki', 'book')),
    ...on(project.snippets_enabled, tab('snippets', 'Snippets', 'note')),
    tab('activity', 'Activity', 'history'),
    tab('members', 'Members', 'people', { href: projectAddress(path, 'project_members') }),
    ...on(
      project.jobs_enabled === true && level >= AccessLevel.reporter,
      tab('environments', 'Environments', 'rocket'),
    ),
    // Reports of scanners come with a paid tier, as the setting of packages does.
    ...on(
      project.packages_enabled !== undefined && level >= AccessLevel.developer,
      tab('security', 'Security', 'shield', {
        href: projectAddress(path, 'security', 'vulnerabilities'),
      }),
    ),
    ...on(
      isManager(project),
      tab('settings', 'Settings', 'gear', { href: projectAddress(path, 'edit') }),
    ),
  ]
}

/** Undefined where the viewer doesn't learn it. */
function on(isOn: boolean | undefined, found: NamedTab): NamedTab[] {
  return isOn === false ? [] : [found]
}

/** Whether the viewer may change the settings of a project: the API shows these tokens to nobody else. */
export function isManager({ runners_token: token }: Project): boolean {
  return token !== undefined
}

/** What stands above a page that doesn't offer some changes because the project is archived. */
export function archivedNotice({ archived }: Project, locked: string): Html | undefined {
  if (archived !== true) return undefined
  return notice(
    `This project is archived: ${locked} can’t be changed until it is unarchived.`,
    'warning',
  )
}

/** The level by which changes are offered to the viewer: nobody changes an archived project. */
export function changeLevel({ archived, permissions }: Project): number {
  return archived === true ? 0 : accessLevel(permissions)
}

/** The level of the viewer, by membership or not: administrators are owners, and whose own a project is. */
export function viewerLevel(project: Project, viewer: Viewer | null): number {
  // The owner of a project of their own is a maintainer of it by membership.
  const isOwner = viewer !== null && (isAdministrator(viewer) || project.owner?.id === viewer.id)
  return isOwner ? AccessLevel.owner : accessLevel(project.permissions)
}

/** The level of the viewer in a project; 0 without a membership. */
export function accessLevel(permissions: Project['permissions']): number {
  return Math.max(
    permissions?.project_access?.access_level ?? 0,
    permissions?.group_access?.access_level ?? 0,
  )
}
