import { AccessLevel, type Project } from '@stithy/core'
import type { FailedForm } from '../../../platform/forms/form-view.ts'
import { html } from '../../../platform/html/html.ts'
import { loadAll } from '../../../platform/pages/load-all.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import type { Reply } from '../../../platform/pages/reply.ts'
import { viewerLevel } from '../project-place.ts'
import { advancedSettings } from './advanced-settings.ts'
import { accessFields, generalFields } from './general-form.ts'
import { loadManagedProject, settingsPage } from './settings-page.ts'

/** `GET /<project>/-/edit`, `/-/settings`: name, visibility, features, and what is done seldom. */
export function showGeneralSettings(call: PageCall): Promise<Reply> {
  return generalSettings(call)
}

/** The page, or the page again after a form of it was refused. */
export async function generalSettings(
  call: PageCall,
  failed?: FailedForm,
  known?: Project,
): Promise<Reply> {
  const [project, namespaces, viewer] = await loadAll([
    known ?? loadManagedProject(call),
    call.client.namespaces.list({ per_page: 100 }),
    call.viewer(),
  ])
  return settingsPage({
    call,
    project,
    current: 'general',
    failed,
    body: html`${generalFields(call, project, failed)}
${accessFields(call, project, failed)}
${advancedSettings({ call, project, namespaces: namespaces.items, failed, mayOwn: viewerLevel(project, viewer) >= AccessLevel.owner })}`,
  })
}
