import type { FailedForm } from '../../platform/forms/form-view.ts'
import type { Html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { forbidden } from '../../platform/pages/refusal.ts'
import type { PageReply } from '../../platform/pages/reply.ts'
import { sidedPage } from '../../platform/pages/sided-page.ts'
import { groupAddress, projectAddress } from '../../platform/text/addresses.ts'
import { groupPlace, loadGroup } from '../groups/group-place.ts'
import { groupSettingsLinks } from '../groups/group-settings-links.ts'
import { owner } from '../members/access-levels.ts'
import { loadManagedProject, settingsPage } from '../projects/settings/settings-page.ts'

/** Names a project or group in a call of the API; the number is its id. */
export type Parent = { projectId: number } | { groupId: number }

/** Settings that projects and groups have. */
export type SharedSettings = 'hooks' | 'badges' | 'audit_events'

interface SettingsView {
  current: SharedSettings
  title?: string
  end?: Html
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
  page: (view: SettingsView) => PageReply
}

/** The project or group of a page of settings. @throws StithyError 403 for those who may not change them */
export function loadSettingsOwner(call: PageCall): Promise<SettingsOwner> {
  return call.params.project === undefined ? ownerGroup(call) : ownerProject(call)
}

async function ownerProject(call: PageCall): Promise<SettingsOwner> {
  const project = await loadManagedProject(call)
  return {
    parent: { projectId: project.id },
    noun: 'project',
    address: (...segments) => projectAddress(project.path_with_namespace, ...segments),
    page: (view) => settingsPage({ project, ...view }),
  }
}

async function ownerGroup(call: PageCall): Promise<SettingsOwner> {
  const group = await loadGroup(call)
  if (group.accessLevel < owner) throw forbidden()
  const names = { hooks: 'Webhooks', badges: 'Badges', audit_events: 'Audit events' }
  return {
    parent: { groupId: group.id },
    noun: 'group',
    address: (...segments) => groupAddress(group.full_path, ...segments),
    page: ({ current, title = names[current], ...view }) =>
      sidedPage({
        ...view,
        title,
        of: `Settings · ${group.full_path}`,
        place: groupPlace(group, 'settings'),
        label: 'Settings',
        links: groupSettingsLinks(group.full_path, current),
      }),
  }
}
