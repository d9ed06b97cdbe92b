import type { ScimToken } from '@stithy/core'
import { actionButton } from '../../platform/design/button.ts'
import { card } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { shownOnce } from '../../platform/design/shown-once.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { groupAddress } from '../../platform/text/addresses.ts'
import { groupSettingsPage, loadOwnedGroup } from '../groups/group-settings-layout.ts'

const base = ['settings', 'scim'] as const

interface AfterForm {
  failed?: FailedForm
  created?: ScimToken
}

/** `GET /groups/<group>/-/settings/scim`: the token of the identity provider. */
export function showScim(call: PageCall): Promise<Reply> {
  return scimPage(call)
}

async function scimPage(call: PageCall, { failed, created }: AfterForm = {}): Promise<Reply> {
  const group = await loadOwnedGroup(call)
  const address = groupAddress(group.full_path, ...base)
  const token =
    created && shownOnce({ title: 'The SCIM token of the group', secret: created.token })
  return groupSettingsPage({
    group,
    current: 'scim',
    failed,
    isSecret: created !== undefined,
    body: html`${token}
${card({
  title: 'SCIM token',
  body: html`<p>With it, an identity provider adds and removes the members of this group. A new token replaces the one before.</p>
<div class="row">${actionButton(call, { action: address, text: 'Create token', kind: 'primary' })}
${confirmation(call, { action: `${address}/delete`, text: 'Revoke token', look: 'danger', question: 'The identity provider loses its access.' })}</div>`,
})}`,
  })
}

/** `POST /groups/<group>/-/settings/scim`: answers with the token, which is shown once. */
export async function createScimToken(call: PageCall): Promise<Reply> {
  const groupId = call.params.group ?? ''
  const created = await submit(call.client.groups.scimToken.create({ groupId }))
  if (created.ok) return scimPage(call, { created: created.value })
  return scimPage(call, { failed: { name: '', form: call.form, ...created } })
}

/** `POST /groups/<group>/-/settings/scim/delete`. */
export async function revokeScimToken(call: PageCall): Promise<Reply> {
  const groupId = call.params.group ?? ''
  const revoked = await submit(call.client.groups.scimToken.delete({ groupId }))
  if (revoked.ok) return redirect(groupAddress(groupId, ...base))
  return scimPage(call, { failed: { name: '', form: call.form, ...revoked } })
}
