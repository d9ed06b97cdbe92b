import type { GroupDetails } from '@stithy/core'
import { squareAvatar } from '../../platform/design/avatar.ts'
import { card } from '../../platform/design/card.ts'
import { checkbox, csrfField, textArea, textField } from '../../platform/design/form-fields.ts'
import { type FailedForm, FormView } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { groupAddress } from '../../platform/text/addresses.ts'
import { visibilityField } from '../namespaces/visibility-field.ts'
import { groupSettingsPage, loadOwnedGroup } from './group-settings-layout.ts'

/** Names of the forms of the page. */
export const forms = { general: 'general', path: 'path', transfer: 'transfer', delete: 'delete' }

/** `GET /groups/<group>/-/edit`: the settings, for owners. */
export function showGroupSettings(call: PageCall): Promise<Reply> {
  return settingsPage(call)
}

/** The page, also after a form of it was refused. */
export async function settingsPage(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const groupId = call.params.group ?? ''
  const [group, details] = await loadAll([
    loadOwnedGroup(call),
    call.client.groups.show({ groupId }),
  ])
  return groupSettingsPage({
    group,
    current: 'general',
    title: 'Settings',
    failed,
    body: html`${card({ title: 'General', body: generalForm(call, details, failed) })}
${card({ title: 'Path', body: pathForm(call, details, failed) })}
${card({ title: 'Transfer a project into this group', body: transferForm(call, details, failed) })}
${card({ title: 'Delete this group', body: deleteForm(call, details, failed) })}`,
  })
}

function actionOf({ full_path: path }: GroupDetails, ...segments: string[]): string {
  return groupAddress(path, 'edit', ...segments)
}

function generalForm(call: PageCall, group: GroupDetails, failed: FailedForm | undefined): Html {
  const view = new FormView(forms.general, failed)
  const again = failed?.name === forms.general ? failed.form.text('visibility') : ''
  return html`<form method="post" action="${actionOf(group)}" enctype="multipart/form-data">${csrfField(call)}
${textField({ ...view.text('name', group.name), label: 'Name', required: true, maxLength: 255 })}
${textArea({ ...view.text('description', group.description), label: 'Description', rows: 3 })}
<div class="row field">${squareAvatar(group, 'large')}<div class="grow">${textField({ ...view.text('avatar'), label: 'Picture', type: 'file', hint: 'PNG, JPEG, GIF or WebP, up to 200 KiB.' })}</div></div>
${group.avatar_url !== null && checkbox({ ...view.check('remove_avatar'), label: 'Remove the picture' })}
${visibilityField(again === '' ? group.visibility : again)}
${checkbox({ ...view.check('request_access_enabled', group.request_access_enabled), label: 'Users may request access' })}
${checkbox({ ...view.check('lfs_enabled', group.lfs_enabled), label: 'Projects may store large files (LFS)' })}
${checkbox({ ...view.check('require_two_factor_authentication', group.require_two_factor_authentication), label: 'Members must use two-factor authentication' })}
${textField({ ...view.text('two_factor_grace_period', group.two_factor_grace_period), label: 'Hours until they must', type: 'number' })}
<div class="buttons"><button class="primary">Save changes</button></div>
</form>`
}

function pathForm(call: PageCall, group: GroupDetails, failed: FailedForm | undefined): Html {
  const view = new FormView(forms.path, failed)
  const hint =
    'The addresses of the group, its subgroups and projects change: the old ones no longer work.'
  return html`<form method="post" action="${actionOf(group, 'path')}">${csrfField(call)}
${textField({ ...view.text('path', group.path), label: 'Path', required: true, maxLength: 255, hint })}
<div class="buttons"><button class="danger">Change path</button></div>
</form>`
}

function transferForm(call: PageCall, group: GroupDetails, failed: FailedForm | undefined): Html {
  const view = new FormView(forms.transfer, failed)
  const hint = 'You must be an owner of it. Its address changes.'
  return html`<form method="post" action="${actionOf(group, 'transfer')}">${csrfField(call)}
${textField({ ...view.text('project'), label: 'Path of the project', required: true, maxLength: 1024, hint })}
<div class="buttons"><button>Transfer project</button></div>
</form>`
}

function deleteForm(call: PageCall, group: GroupDetails, failed: FailedForm | undefined): Html {
  const view = new FormView(forms.delete, failed)
  return html`<p>The group is deleted with its subgroups, projects, their repositories, issues and merge requests. This can't be undone.</p>
<details class="confirm"${failed?.name === forms.delete && html` open`}><summary class="button danger">Delete group</summary>
<form method="post" action="${actionOf(group, 'delete')}">${csrfField(call)}
${textField({ ...view.text('confirm'), label: `Type ${group.full_path} to confirm`, required: true, autocomplete: 'off' })}
<button class="danger">Delete ${group.full_path}</button>
</form></details>`
}
