import type { DeployKey } from '@stithy/core'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { csrfField, textArea, textField } from '../../platform/design/form-fields.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type FailedForm, FormView } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { adminAddress, adminPage } from './admin-page.ts'

const formName = 'key'

/** `GET /admin/deploy_keys`: those of all projects. */
export function showDeployKeys(call: PageCall): Promise<Reply> {
  return keyList(call)
}

async function keyList(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const { client, query } = call
  const keys = await client.deployKeys.list(pageNumber(query))
  const list =
    keys.items.length === 0
      ? emptyState({ title: 'No deploy keys', text: 'Neither projects nor the instance have any.' })
      : dataTable({
          label: 'Deploy keys',
          columns: [
            { text: 'Title' },
            { text: 'Key' },
            { text: 'Added' },
            { text: 'Actions', kind: 'actions' },
          ],
          rows: keys.items.map((key) => keyRow(call, key)),
        })
  return adminPage({
    area: 'deploy_keys',
    failed,
    body: html`${card({ body: list, isFlush: true })}
${pagination(keys, adminAddress('deploy_keys'), query)}
${card({ title: 'Add a public deploy key', body: keyForm(call, failed) })}`,
  })
}

function keyRow(call: PageCall, { id, title, key, created_at }: DeployKey) {
  const [type = '', data = ''] = key.split(' ')
  return [
    title,
    html`<code>${type} …${data.slice(-16)}</code>`,
    timeAgo(created_at, call.now),
    confirmation(call, {
      action: adminAddress('deploy_keys', id, 'delete'),
      text: 'Delete',
      label: `Delete ${title}`,
      question: 'All projects lose it.',
    }),
  ]
}

function keyForm(call: PageCall, failed: FailedForm | undefined): Html {
  const view = new FormView(formName, failed)
  return html`<form method="post" action="${adminAddress('deploy_keys')}">
<p>Every project may enable it.</p>
${csrfField(call)}
${textField({ ...view.text('title'), label: 'Title', required: true, maxLength: 255 })}
${textArea({ ...view.text('key'), label: 'Public key', rows: 3, format: 'code', required: true })}
<button class="primary">Add key</button>
</form>`
}

/** `POST /admin/deploy_keys`. */
export async function addDeployKey(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const added = await submit(
    client.deployKeys.create({ title: form.text('title'), key: form.text('key').trim() }),
    { title: 'key-title', key: 'key-key', fingerprint: 'key-key' },
  )
  if (added.ok) return redirect(adminAddress('deploy_keys'))
  return keyList(call, { name: formName, form, formErrors: added.formErrors })
}

/** `POST /admin/deploy_keys/:id/delete`. */
export async function deleteDeployKey(call: PageCall): Promise<Reply> {
  await call.client.deployKeys.delete({ keyId: rowId(call) })
  return redirect(adminAddress('deploy_keys'))
}
