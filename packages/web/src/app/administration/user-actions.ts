import { tokenScopes } from '@stithy/core'
import { fieldIds } from '../../platform/forms/form-view.ts'
import { type Submission, submit } from '../../platform/forms/submit.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { adminAddress } from './admin-page.ts'
import { tokenFormName } from './impersonation-tokens.ts'
import { userPage } from './user-page.ts'

/** Leads back to where the button was, or shows the user with what the API says. */
function afterAction(
  call: PageCall,
  submission: Submission<unknown>,
  target = adminAddress('users', rowId(call)),
): Promise<Reply> {
  if (submission.ok) return Promise.resolve(redirect(target))
  const { formErrors } = submission
  return userPage(call, { failed: { name: '', form: call.form, formErrors } })
}

/** The list or page of the button, if it is one of users. */
function returnAddress({ form }: PageCall): string | undefined {
  const path = form.text('return_to')
  const list = adminAddress('users')
  return path === list || path.startsWith(`${list}?`) ? path : undefined
}

/** `POST /admin/users/:id/block`. */
export async function blockUser(call: PageCall): Promise<Reply> {
  const blocked = await submit(call.client.users.block({ userId: rowId(call) }))
  return afterAction(call, blocked, returnAddress(call))
}

/** `POST /admin/users/:id/unblock`. */
export async function unblockUser(call: PageCall): Promise<Reply> {
  const unblocked = await submit(call.client.users.unblock({ userId: rowId(call) }))
  return afterAction(call, unblocked, returnAddress(call))
}

/** `POST /admin/users/:id/disable_two_factor`. */
export async function disableTwoFactor(call: PageCall): Promise<Reply> {
  const { client } = call
  return afterAction(call, await submit(client.users.twoFactor.disable({ userId: rowId(call) })))
}

/** `POST /admin/users/:id/delete`: with all contributions, if `hard_delete` says so. */
export async function deleteUser(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const deleted = await submit(
    client.users.delete({ userId: rowId(call), hard_delete: form.isChecked('hard_delete') }),
  )
  return afterAction(call, deleted, adminAddress('users'))
}

/** `POST /admin/users/:id/impersonation_tokens`: answers with the token, which is shown once. */
export async function createToken(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const chosen = form.texts('scopes')
  const expires = form.optionalText('expires_at')
  const created = await submit(
    client.users.impersonationTokens.create({
      userId: rowId(call),
      name: form.text('name'),
      scopes: tokenScopes.filter((scope) => chosen.includes(scope)),
      ...(expires !== undefined && { expires_at: expires }),
    }),
    fieldIds(tokenFormName, ['name', 'expires_at']),
  )
  if (created.ok) return userPage(call, { newToken: created.value })
  const { formErrors } = created
  return userPage(call, { failed: { name: tokenFormName, form, formErrors } })
}

/** `POST /admin/users/:id/impersonation_tokens/:token/revoke`. */
export async function revokeToken(call: PageCall): Promise<Reply> {
  const impersonationTokenId = rowId(call, 'token')
  const ids = { userId: rowId(call), impersonationTokenId }
  return afterAction(call, await submit(call.client.users.impersonationTokens.delete(ids)))
}
