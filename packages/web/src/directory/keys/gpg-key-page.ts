import type { GpgKey } from '@stithy/core'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { csrfField, textArea } from '../../platform/design/form-fields.ts'
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
import { timeAgo } from '../../platform/text/time.ts'
import { profilePage, profilePages, withViewer } from '../users/profile-frame.ts'

const name = 'gpg'
const path = profilePages['GPG keys']

/** `GET /-/profile/gpg_keys`: the keys by which signatures of commits are verified. */
export function showGpgKeys(call: PageCall, failed?: FailedForm): Promise<Reply> {
  return withViewer(call, async () => {
    const { client, query } = call
    const keys = await client.users.gpgKeys.list(pageNumber(query))
    const list =
      keys.items.length === 0
        ? emptyState({
            title: 'No GPG keys yet',
            text: 'Commits that you sign are shown as verified. Add the public key.',
            commands: 'gpg --armor --export you@example.com',
          })
        : rows(keys.items.map((key) => keyRow(call, key)))
    return profilePage({
      title: 'GPG keys',
      failed,
      body: html`${card({ body: list, isFlush: true })}
${pagination(keys, path, query)}
${card({ title: 'Add a key', body: keyForm(call, failed) })}`,
    })
  })
}

function keyRow(call: PageCall, key: GpgKey): Html {
  const question = 'Commits that it signed are no longer shown as verified.'
  return row({
    start: icon('shield-lock'),
    title: html`<details><summary class="strong">Key ${key.id}</summary><div class="scroll" tabindex="0" role="region" aria-label="Key ${key.id}"><pre>${key.key}</pre></div></details>`,
    details: html`<span>added ${timeAgo(key.created_at, call.now)}</span>`,
    end: html`${confirmation(call, { action: `${path}/${key.id}/delete`, text: 'Remove', label: `Remove key ${key.id}`, question })}`,
  })
}

function keyForm(call: PageCall, failed: FailedForm | undefined): Html {
  const view = new FormView(name, failed)
  return html`<form method="post" action="${path}">${csrfField(call)}
${textArea({ ...view.text('key'), label: 'Public key', hint: 'From “BEGIN PGP PUBLIC KEY BLOCK” to its end.', rows: 8, format: 'code', required: true })}
<div class="buttons"><button class="primary">Add key</button></div>
</form>`
}

/** `POST /-/profile/gpg_keys`. */
export async function addGpgKey(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const added = await submit(
    client.users.gpgKeys.create({ key: form.text('key') }),
    fieldIds(name, ['key']),
  )
  if (added.ok) return redirect(path)
  return showGpgKeys(call, { name, form, formErrors: added.formErrors })
}

/** `POST /-/profile/gpg_keys/:id/delete`. */
export async function removeGpgKey(call: PageCall): Promise<Reply> {
  await call.client.users.gpgKeys.delete({ keyId: rowId(call) })
  return redirect(path)
}
