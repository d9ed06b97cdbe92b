import { hash } from 'node:crypto'
import type { SshKey } from '@stithy/core'
import { trimEndCharacters } from '@stithy/core'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { csrfField, textArea, textField } from '../../platform/design/form-fields.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { shortDay, timeAgo } from '../../platform/text/time.ts'
import { profilePage, profilePages, withViewer } from '../users/profile-frame.ts'

const name = 'key'
const path = profilePages['SSH keys']

/** `GET /-/profile/keys`: the SSH keys of the viewer. */
export function showSshKeys(call: PageCall, failed?: FailedForm): Promise<Reply> {
  return withViewer(call, async () => {
    const { client, query } = call
    const keys = await client.users.keys.list(pageNumber(query))
    const list =
      keys.items.length === 0
        ? emptyState({
            title: 'No SSH keys yet',
            text: 'With a key, git signs in without a password. Make one, and add its public part.',
            commands: 'ssh-keygen -t ed25519\ncat ~/.ssh/id_ed25519.pub',
          })
        : rows(keys.items.map((key) => keyRow(call, key)))
    return profilePage({
      title: 'SSH keys',
      failed,
      body: html`${card({ body: list, isFlush: true })}
${pagination(keys, path, query)}
${card({ title: 'Add a key', body: keyForm(call, failed) })}`,
    })
  })
}

function keyRow(call: PageCall, key: SshKey): Html {
  return row({
    start: icon('key'),
    title: html`<span class="strong">${key.title}</span>`,
    details: html`<span class="mono">${fingerprint(key.key)}</span><span>added ${timeAgo(key.created_at, call.now)}</span>${key.expires_at !== null && html`<span>until ${shortDay(key.expires_at)}</span>`}`,
    end: confirmation(call, {
      action: `${path}/${key.id}/delete`,
      text: 'Remove',
      label: `Remove the key ${key.title}`,
      question: 'Whoever uses it can no longer sign in with it.',
    }),
  })
}

/** How OpenSSH shows a public key: `SHA256:…`. */
function fingerprint(key: string): string {
  const [, data = ''] = key.split(' ', 2)
  const digest = hash('sha256', Buffer.from(data, 'base64'), 'base64')
  return `SHA256:${trimEndCharacters(digest, '=')}`
}

function keyForm(call: PageCall, failed: FailedForm | undefined): Html {
  const view = new FormView(name, failed)
  return html`<form method="post" action="${path}">${csrfField(call)}
${textArea({ ...view.text('key'), label: 'Public key', hint: 'The line of the file that ends in .pub; it begins with ssh-ed25519, ecdsa-sha2 or ssh-rsa.', rows: 4, required: true })}
${textField({ ...view.text('title'), label: 'Name', hint: 'Where it is, such as “laptop”.', required: true, maxLength: 255 })}
${textField({ ...view.text('expires_at'), label: 'Last day (optional)', type: 'date' })}
<div class="buttons"><button class="primary">Add key</button></div>
</form>`
}

/** `POST /-/profile/keys`. */
export async function addSshKey(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const added = await submit(
    client.users.keys.create({
      title: form.text('title').trim(),
      key: form.text('key').trim(),
      expires_at: form.text('expires_at'),
    }),
    fieldIds(name, ['title', 'key', 'expires_at', 'fingerprint']),
  )
  if (added.ok) return redirect(path)
  return showSshKeys(call, { name, form, formErrors: added.formErrors })
}

/** `POST /-/profile/keys/:id/delete`. */
export async function removeSshKey(call: PageCall): Promise<Reply> {
  await call.client.users.keys.delete({ keyId: rowId(call) })
  return redirect(path)
}
