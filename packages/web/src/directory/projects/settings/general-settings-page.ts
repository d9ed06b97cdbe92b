import { AccessLevel, type Project } from '@stithy/core'
import type { FailedForm } from '../../../platform/forms/form-view.ts'
import { html } from '../../../platform/html/html.ts'
import type { PageCall, Viewer } from '../../../platform/pages/page-call.ts'
import type { Reply } from '../../../platform/pages/reply.ts'
import { accessLevel } from '../project-place.ts'
import { advancedSettings } from './advanced-settings.ts'
import { accessFields, generalFields } from './general-form.ts'
import { loadManagedProject, settingsPage } from './settings-page.ts'

/** `GET /<project>/-/edit`, `/-/settings`: name, visibility, features, and what is done seldom. */
export function showGeneralSettings(call: PageCall): Promise<Reply> {
  return generalSettings(call)
}

function isOwner(project: Project, viewer: Viewer | null): boolean {
  if (viewer === null) return false
  const isAdmin = 'is_admin' in viewer && viewer.is_admin
  // The owner of a project of their own is a maintainer of it by membership.
  const isOwn = project.owner?.id === viewer.id
  return isAdmin || isOwn || accessLevel(project.permissions) >= AccessLevel.owner
}

/** The page, or the page again after a form of it was refused. */
export async function generalSettings(
  call: PageCall,
  failed?: FailedForm,
  known?: Project,
): Promise<Reply> {
  const [project, namespaces, viewer] = await Promise.all([
    known ?? loadManagedProject(call),
    call.client.namespaces.list({ per_page: 100 }),
    call.viewer(),
  ])
  return settingsPage({
    project,
    current: 'general',
    failed,
    body: html`${generalFields(call, project, failed)}
${accessFields(call, project, failed)}
${advancedSettings({ call, project, namespaces: namespaces.items, failed, mayOwn: isOwner(project, viewer) })}`,
  })
}
