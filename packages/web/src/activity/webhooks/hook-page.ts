import type { HookEvent } from '@stithy/core'
import { webhookTriggers } from '@stithy/core'
import { loadSettingsOwner, type SettingsOwner } from '../../directory/settings/settings-owner.ts'
import { card } from '../../platform/design/card.ts'
import { csrfField, selectField } from '../../platform/design/form-fields.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { deliveriesPerPage, deliveryList, testResult } from './deliveries.ts'
import { showHook } from './hook-calls.ts'
import { hookFields, triggerTexts } from './hook-form.ts'

/** What the page shows after a form of it was submitted. */
interface AfterForm {
  failed?: FailedForm
  /** What a test has sent and received. */
  test?: HookEvent
}

/** `GET …/-/hooks/:id/edit`: its settings, tests and deliveries. */
export function showHookPage(call: PageCall): Promise<Reply> {
  return hookPage(call)
}

/** The page, also after a form of it was refused, or after a test. */
export async function hookPage(call: PageCall, { failed, test }: AfterForm = {}): Promise<Reply> {
  const hookId = rowId(call)
  const owner = await loadSettingsOwner(call)
  const [hook, events] = await loadAll([
    showHook(call, owner.parent, hookId),
    call.client.hooks.events.list({
      ...owner.parent,
      hookId,
      per_page: deliveriesPerPage,
      ...pageNumber(call.query),
    }),
  ])
  const path = owner.address('hooks', hookId, 'edit')
  const form = hookFields(call, { action: path, button: 'Save webhook', hook, failed })
  return owner.page({
    current: 'hooks',
    title: 'Webhook',
    failed,
    body: html`${test && testResult(test)}
${card({ title: 'Settings', body: form })}
${card({ title: 'Test', body: testForm(call, owner, hookId) })}
${deliveryList(call, events, path)}`,
  })
}

function testForm(call: PageCall, owner: SettingsOwner, hookId: number): Html {
  const options = webhookTriggers.map((value) => ({ value, text: triggerTexts[value] }))
  return html`<form method="post" action="${owner.address('hooks', hookId, 'test')}">
${csrfField(call)}
${selectField({ id: 'trigger', label: 'Event', hint: 'Made of the newest data there is, and sent at once.', options })}
<button>Send test event</button>
</form>`
}
