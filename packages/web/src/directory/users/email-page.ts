import type { Email } from '@stithy/core'
import { badge } from '../../platform/design/badge.ts'
import { card } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { csrfField, textField } from '../../platform/design/form-fields.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { profilePage, profilePages, withViewer } from './profile-frame.ts'

const name = 'email'

/** `GET /-/profile/emails`: the addresses of the viewer. */
export function showEmails(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const view = new FormView(name, failed)
  return withViewer(call, async (viewer) => {
    const emails = await call.client.users.emails.list({ per_page: 100 })
    const primary = row({
      start: icon('mail'),
      title: html`<span class="strong">${viewer.email}</span> ${badge('primary')}`,
    })
    const list = rows([primary, ...emails.items.map((email) => emailRow(call, email))])
    const form = html`<form class="line" method="post" action="${profilePages['E-mail addresses']}">${csrfField(call)}
${textField({ ...view.text('email'), label: 'E-mail address', type: 'email', required: true, maxLength: 255 })}
<button class="primary">Add address</button>
</form>
<p class="hint">A link is sent to it, by which you confirm that it is yours. From then on it identifies you as the author of commits.</p>`
    return profilePage({
      title: 'E-mail addresses',
      failed,
      body: html`${card({ title: 'Your addresses', body: list, isFlush: true })}
${card({ title: 'Add an address', body: form })}`,
    })
  })
}

function emailRow(call: PageCall, { id, email }: Email): Html {
  return row({
    start: icon('mail'),
    title: html`<span class="strong">${email}</span>`,
    end: confirmation(call, {
      action: `${profilePages['E-mail addresses']}/${id}/delete`,
      text: 'Remove',
      label: `Remove ${email}`,
      question: 'Commits with it are no longer shown as yours.',
    }),
  })
}

/** `POST /-/profile/emails`. */
export async function addEmail(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const added = await submit(
    client.users.emails.create({ email: form.text('email').trim() }),
    fieldIds(name, ['email']),
  )
  if (added.ok) return redirect(profilePages['E-mail addresses'])
  return showEmails(call, { name, form, formErrors: added.formErrors })
}

/** `POST /-/profile/emails/:id/delete`. */
export async function removeEmail(call: PageCall): Promise<Reply> {
  await call.client.users.emails.delete({ emailId: rowId(call) })
  return redirect(profilePages['E-mail addresses'])
}
