import type { FailedForm } from '../../platform/forms/form-view.ts'
import type { Html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import type { PageReply } from '../../platform/pages/reply.ts'
import { groupAddress, projectAddress } from '../../platform/text/addresses.ts'
import { groupSettingsPage, loadOwnedGroup } from '../groups/group-settings-layout.ts'
import { loadManagedProject, settingsPage } from '../projects/settings/settings-page.ts'

/** Names a project or group in a call of the API. */
export type Parent = { projectId: number } | { groupId: number }

interface SettingsView {
  /** Settings that projects and groups have. */
  current: 'hooks' | 'badges' | 'audit_events'
  title?: string
  failed?: FailedForm | undefined
  body: Html
}

/** A project or group whose settings the viewer may change. */
export interface SettingsOwner {
  parent: Parent
  /** How texts call it. */
  noun: 'project' | 'group'
  address: (...segments: readonly (string | number)[]) => string
  /** A page of its settings, with links to the others. */
  page: (view: SettingsView) => PageReply | Promise<PageReply>
}

/** The project or group of a page of settings. @throws StithyError 403 for those who may not change them */
export async function loadSettingsOwner(call: PageCall): Promise<SettingsOwner> {
  if (call.params.project === undefined) {
    const group = await loadOwnedGroup(call)
    return {
      parent: { groupId: group.id },
      noun: 'group',
      address: (...segments) => groupAddress(group.full_path, ...segments),
      page: (view) => groupSettingsPage({ group, ...view }),
    }
  }
  const project = await loadManagedProject(call)
  return {
    parent: { projectId: project.id },
    noun: 'project',
    address: (...segments) => projectAddress(project.path_with_namespace, ...segments),
    page: (view) => settingsPage({ call, project, ...view }),
  }
}
