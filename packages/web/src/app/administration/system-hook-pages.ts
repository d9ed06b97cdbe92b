import { type HookEvent, type SystemHook, systemHookTriggers } from '@stithy/core'
import { deliveriesPerPage, deliveryList, testResult } from '../../activity/webhooks/deliveries.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { checkbox, csrfField, selectField, textField } from '../../platform/design/form-fields.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { adminAddress, adminPage } from './admin-page.ts'

const formName = 'hook'

const triggerTexts = {
  push_events: 'Pushes',
  tag_push_events: 'Tags',
  merge_requests_events: 'Merge requests',
  repository_update_events: 'Updates of repositories',
} as const

/** `GET /admin/hooks`. */
export function showSystemHooks(call: PageCall): Promise<Reply> {
  return hookList(call)
}

async function hookList(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const { client, query } = call
  const hooks = await client.systemHooks.list(pageNumber(query))
  const list =
    hooks.items.length === 0
      ? emptyState({
          title: 'No system hooks',
          text: 'A system hook sends the events of the whole instance to another server.',
        })
      : dataTable({
          label: 'System hooks',
          columns: [{ text: 'URL' }, { text: 'Events' }, { text: 'Actions', kind: 'actions' }],
          rows: hooks.items.map((hook) => hookRow(call, hook)),
        })
  return adminPage({
    area: 'hooks',
    failed,
    body: html`${card({ body: list, isFlush: true })}
${pagination(hooks, adminAddress('hooks'), query)}
${card({ title: 'Add a system hook', body: hookForm(call, failed) })}`,
  })
}

function hookRow(call: PageCall, hook: SystemHook) {
  const { id, url } = hook
  const events = systemHookTriggers.filter((name) => hook[name]).map((name) => triggerTexts[name])
  return [
    html`<a href="${adminAddress('hooks', id)}">${url}</a>`,
    ['Projects, groups, users, keys and members', ...events].join(', '),
    confirmation(call, {
      action: adminAddress('hooks', id, 'delete'),
      text: 'Delete',
      label: `Delete ${url}`,
      question: 'Its deliveries are deleted too.',
    }),
  ]
}

function hookForm(call: PageCall, failed: FailedForm | undefined): Html {
  const view = new FormView(formName, failed)
  const triggers = systemHookTriggers.map((name) =>
    checkbox({
      ...view.check(name, name === 'repository_update_events'),
      label: triggerTexts[name],
    }),
  )
  return html`<form method="post" action="${adminAddress('hooks')}">
${csrfField(call)}
${textField({ ...view.text('url'), label: 'URL', type: 'url', required: true })}
${textField({ ...view.text('token'), label: 'Secret token', type: 'secret', hint: html`Sent with every event as <code>X-Stithy-Token</code>.` })}
<fieldset><legend>Events besides those of projects, groups, users, keys and members</legend><div class="choices">${triggers}</div></fieldset>
${checkbox({ ...view.check('enable_ssl_verification', true), label: 'Check the certificate of the receiver' })}
<div class="buttons"><button class="primary">Add system hook</button></div>
</form>`
}

/** `POST /admin/hooks`. */
export async function addSystemHook(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const token = form.text('token')
  const created = await submit(
    client.systemHooks.create({
      url: form.text('url').trim(),
      ...Object.fromEntries(systemHookTriggers.map((name) => [name, form.isChecked(name)])),
      enable_ssl_verification: form.isChecked('enable_ssl_verification'),
      ...(token !== '' && { token }),
    }),
    fieldIds(formName, ['url', 'token']),
  )
  if (created.ok) return redirect(adminAddress('hooks'))
  return hookList(call, { name: formName, form, formErrors: created.formErrors })
}

/** `GET /admin/hooks/:id`: tests and deliveries. */
export function showSystemHook(call: PageCall): Promise<Reply> {
  return hookPage(call)
}

interface AfterTest {
  failed?: FailedForm
  test?: HookEvent
}

async function hookPage(call: PageCall, { failed, test }: AfterTest = {}): Promise<Reply> {
  const hookId = rowId(call)
  const { client, query } = call
  const events = await client.systemHooks.events.list({
    hookId,
    per_page: deliveriesPerPage,
    ...pageNumber(query),
  })
  const options = systemHookTriggers.map((value) => ({ value, text: triggerTexts[value] }))
  const testForm = html`<form method="post" action="${adminAddress('hooks', hookId, 'test')}">
${csrfField(call)}
${selectField({ id: 'trigger', label: 'Event', hint: 'Made of the newest data there is, and sent at once.', options })}
<button>Send test event</button>
</form>`
  return adminPage({
    area: 'hooks',
    title: 'System hook',
    failed,
    body: html`${test && testResult(test)}
${card({ title: 'Test', body: testForm })}
${deliveryList(call, events, adminAddress('hooks', hookId))}`,
  })
}

/** `POST /admin/hooks/:id/test`: sends an event, and shows what was answered. */
export async function testSystemHook(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const trigger = form.word('trigger', systemHookTriggers) ?? 'push_events'
  const sent = await submit(client.systemHooks.test({ hookId: rowId(call), trigger }))
  if (sent.ok) return hookPage(call, { test: sent.value })
  return hookPage(call, { failed: { name: 'test', form, formErrors: sent.formErrors } })
}

/** `POST /admin/hooks/:id/delete`. */
export async function deleteSystemHook(call: PageCall): Promise<Reply> {
  await call.client.systemHooks.delete({ hookId: rowId(call) })
  return redirect(adminAddress('hooks'))
}
