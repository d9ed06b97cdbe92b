import type { BroadcastMessage } from '@stithy/core'
import { badge } from '../../platform/design/badge.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { csrfField, textArea, textField } from '../../platform/design/form-fields.ts'
import { pagination } from '../../platform/design/navigation.ts'
import type { Form } from '../../platform/forms/form.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { adminAddress, adminPage } from './admin-page.ts'

const formName = 'message'
const names = ['message', 'starts_at', 'ends_at', 'color', 'font'] as const

/** `GET /admin/broadcast_messages`. */
export function showMessages(call: PageCall): Promise<Reply> {
  return messageList(call)
}

async function messageList(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const { client, query } = call
  const messages = await client.broadcastMessages.list(pageNumber(query))
  const list =
    messages.items.length === 0
      ? emptyState({ title: 'No messages', text: 'A message is shown above every page.' })
      : dataTable({
          label: 'Messages',
          columns: [
            { text: 'Message' },
            { text: 'From' },
            { text: 'Until' },
            { text: 'Actions', kind: 'actions' },
          ],
          rows: messages.items.map((message) => messageRow(call, message)),
        })
  const fields = { action: adminAddress('messages'), button: 'Add message', failed }
  return adminPage({
    area: 'messages',
    failed,
    body: html`${card({ body: list, isFlush: true })}
${pagination(messages, adminAddress('messages'), query)}
${card({ title: 'New message', body: messageFields(call, fields) })}`,
  })
}

function messageRow(call: PageCall, { id, message, starts_at, ends_at, active }: BroadcastMessage) {
  const { now } = call
  return [
    html`<a href="${adminAddress('messages', id, 'edit')}">${message}</a>${active && html` ${badge('shown now', 'good')}`}`,
    timeAgo(starts_at, now),
    timeAgo(ends_at, now),
    confirmation(call, {
      action: adminAddress('messages', id, 'delete'),
      text: 'Delete',
      label: `Delete ${message}`,
      question: 'Nobody sees it any more.',
    }),
  ]
}

interface MessageFields {
  action: string
  button: string
  message?: BroadcastMessage
  failed: FailedForm | undefined
}

function messageFields(call: PageCall, { action, button, message, failed }: MessageFields): Html {
  const view = new FormView(formName, failed)
  const optional = message === undefined
  return html`<form method="post" action="${action}">
${csrfField(call)}
${textArea({ ...view.text('message', message?.message), label: 'Message', rows: 2, required: true })}
<div class="pair">${textField({ ...view.text('starts_at', message?.starts_at), label: 'From', hint: `A time in UTC, such as 2030-01-31T08:00Z${optional ? '; now, if this is empty.' : '.'}` })}
${textField({ ...view.text('ends_at', message?.ends_at), label: 'Until', hint: optional ? 'An hour later, if this is empty.' : 'A time in UTC.' })}
${textField({ ...view.text('color', message?.color), label: 'Colour of the background', hint: 'Such as #e75e40.' })}
${textField({ ...view.text('font', message?.font), label: 'Colour of the text', hint: 'Such as #ffffff.' })}</div>
<button class="primary">${button}</button>
</form>`
}

function messageValues(form: Form) {
  const given = names.map((name) => [name, form.optionalText(name)] as const)
  return {
    ...Object.fromEntries(given.filter(([, text]) => text !== undefined)),
    message: form.text('message'),
  }
}

/** `POST /admin/broadcast_messages`. */
export async function addMessage(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const created = await submit(
    client.broadcastMessages.create(messageValues(form)),
    fieldIds(formName, names),
  )
  if (created.ok) return redirect(adminAddress('messages'))
  return messageList(call, { name: formName, form, formErrors: created.formErrors })
}

/** `GET /admin/broadcast_messages/:id/edit`. */
export function showMessageEdit(call: PageCall): Promise<Reply> {
  return messageEdit(call)
}

async function messageEdit(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const broadcastMessageId = rowId(call)
  const message = await call.client.broadcastMessages.show({ broadcastMessageId })
  const action = adminAddress('messages', broadcastMessageId, 'edit')
  return adminPage({
    area: 'messages',
    title: 'Edit message',
    failed,
    body: card({ body: messageFields(call, { action, button: 'Save message', message, failed }) }),
  })
}

/** `POST /admin/broadcast_messages/:id/edit`. */
export async function saveMessage(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const values = { ...messageValues(form), broadcastMessageId: rowId(call) }
  const saved = await submit(client.broadcastMessages.update(values), fieldIds(formName, names))
  if (saved.ok) return redirect(adminAddress('messages'))
  return messageEdit(call, { name: formName, form, formErrors: saved.formErrors })
}

/** `POST /admin/broadcast_messages/:id/delete`. */
export async function deleteMessage(call: PageCall): Promise<Reply> {
  await call.client.broadcastMessages.delete({ broadcastMessageId: rowId(call) })
  return redirect(adminAddress('messages'))
}
