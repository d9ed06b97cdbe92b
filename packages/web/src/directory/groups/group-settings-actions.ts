import { fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { groupAddress, projectAddress } from '../../platform/text/addresses.ts'
import { chosenAvatar } from '../namespaces/avatar-field.ts'
import { chosenVisibility } from '../namespaces/visibility-field.ts'
import { forms, settingsPage } from './group-settings-page.ts'

const generalFields = [
  'name',
  'description',
  'avatar',
  'request_access_enabled',
  'lfs_enabled',
  'two_factor_grace_period',
]

/** `POST /groups/<group>/-/edit`. */
export async function saveGroup(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const groupId = call.params.group ?? ''
  const visibility = chosenVisibility(form.text('visibility'))
  const hours = form.number('two_factor_grace_period')
  const saved = await submit(
    client.groups.update({
      groupId,
      name: form.text('name'),
      description: form.text('description'),
      request_access_enabled: form.isChecked('request_access_enabled'),
      lfs_enabled: form.isChecked('lfs_enabled'),
      require_two_factor_authentication: form.isChecked('require_two_factor_authentication'),
      ...(hours === undefined ? {} : { two_factor_grace_period: hours }),
      ...(visibility === undefined ? {} : { visibility }),
      ...chosenAvatar(form),
    }),
    { ...fieldIds(forms.general, generalFields), visibility: `visibility-${visibility}` },
  )
  if (saved.ok) return redirect(groupAddress(saved.value.full_path, 'edit'))
  return settingsPage(call, { name: forms.general, form, formErrors: saved.formErrors })
}

/** `POST …/edit/path`: changes the addresses of the group and of all in it. */
export async function changeGroupPath(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const groupId = call.params.group ?? ''
  const saved = await submit(
    client.groups.update({ groupId, path: form.text('path').trim() }),
    fieldIds(forms.path, ['path']),
  )
  if (saved.ok) return redirect(groupAddress(saved.value.full_path, 'edit'))
  return settingsPage(call, { name: forms.path, form, formErrors: saved.formErrors })
}

/** `POST …/edit/transfer`: moves a project into the group. */
export async function transferProject(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const namespace = call.params.group ?? ''
  const moved = await submit(
    client.projects.transfer({ projectId: form.text('project').trim(), namespace }),
  )
  if (moved.ok) return redirect(projectAddress(moved.value.path_with_namespace))
  return settingsPage(call, { name: forms.transfer, form, formErrors: moved.formErrors })
}

/** `POST …/edit/delete`: deletes the group, if its path was typed. */
export async function deleteGroup(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const groupId = call.params.group ?? ''
  const name = forms.delete
  if (form.text('confirm').trim() !== groupId) {
    const formErrors = [{ field: `${name}-confirm`, text: `Type ${groupId} to delete it.` }]
    return settingsPage(call, { name, form, formErrors })
  }
  const deleted = await submit(client.groups.delete({ groupId }))
  if (deleted.ok) return redirect('/dashboard/groups')
  return settingsPage(call, { name, form, formErrors: deleted.formErrors })
}
