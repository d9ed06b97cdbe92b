import { card } from '../../platform/design/card.ts'
import { csrfField, textField } from '../../platform/design/form-fields.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { address } from '../../platform/text/addresses.ts'
import { profilePage, profilePages, withViewer } from './profile-frame.ts'

const name = 'account'

/** `GET /-/profile/account`: the username, and how the account is protected. */
export function showAccount(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const view = new FormView(name, failed)
  return withViewer(call, (viewer) => {
    const hint = `The addresses of your page and personal projects change: ${address(viewer.username)} no longer works.`
    const username = html`<form method="post" action="/-/profile/account">${csrfField(call)}
${textField({ ...view.text('username', viewer.username), label: 'Username', hint, required: true, maxLength: 255, autocomplete: 'username' })}
<div class="buttons"><button class="danger">Change username</button></div>
</form>`
    const protection = html`<ul class="plain spaced">
<li>Two-factor authentication is ${viewer.two_factor_enabled ? 'on' : 'off'}: <a href="${profilePages['Two-factor authentication']}">change that</a></li>
<li><a href="${profilePages.Password}">Change your password</a></li>
<li><a href="${profilePages['Access tokens']}">Access tokens</a> for programs, <a href="${profilePages.Applications}">applications</a> that you have registered</li>
<li><a href="/-/api">Reference of the API</a></li>
</ul>`
    return profilePage({
      title: 'Account',
      failed,
      body: html`${card({ title: 'Username', body: username })}
${card({ title: 'Access', body: protection })}`,
    })
  })
}

/** `POST /-/profile/account`: changes the username. */
export async function saveAccount(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const saved = await submit(
    client.users.profile.update({ username: form.text('username').trim() }),
    fieldIds(name, ['username']),
  )
  if (saved.ok) return redirect(profilePages.Account)
  return showAccount(call, { name, form, formErrors: saved.formErrors })
}
