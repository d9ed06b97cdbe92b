import { webhookTriggers } from '@stithy/core'
import { loadSettingsOwner } from '../../directory/settings/settings-owner.ts'
import { submit } from '../../platform/forms/submit.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { createHook, updateHook } from './hook-calls.ts'
import { hookFieldIds, hookForm, hookValues } from './hook-form.ts'
import { hookList } from './hook-list-page.ts'
import { hookPage } from './hook-page.ts'

/** `POST …/-/hooks`. */
export async function addHook(call: PageCall): Promise<Reply> {
  const { parent, address } = await loadSettingsOwner(call)
  const created = await submit(createHook(call, parent, hookValues(call.form)), hookFieldIds)
  if (created.ok) return redirect(address('hooks'))
  return hookList(call, { name: hookForm, form: call.form, formErrors: created.formErrors })
}

/** `POST …/-/hooks/:id/edit`. */
export async function saveHook(call: PageCall): Promise<Reply> {
  const hookId = rowId(call)
  const { parent, address } = await loadSettingsOwner(call)
  const values = { ...hookValues(call.form), hookId }
  const saved = await submit(updateHook(call, parent, values), hookFieldIds)
  if (saved.ok) return redirect(address('hooks', hookId, 'edit'))
  const { formErrors } = saved
  return hookPage(call, { failed: { name: hookForm, form: call.form, formErrors } })
}

/** `POST …/-/hooks/:id/test`: sends an event, and shows what was answered. */
export async function testHook(call: PageCall): Promise<Reply> {
  const { parent } = await loadSettingsOwner(call)
  const trigger = call.form.word('trigger', webhookTriggers) ?? 'push_events'
  const sent = await submit(call.client.hooks.test({ ...parent, hookId: rowId(call), trigger }))
  if (sent.ok) return hookPage(call, { test: sent.value })
  return hookPage(call, { failed: { name: 'test', form: call.form, formErrors: sent.formErrors } })
}

/** `POST …/-/hooks/:id/delete`. */
export async function deleteHook(call: PageCall): Promise<Reply> {
  const { parent, address } = await loadSettingsOwner(call)
  await call.client.hooks.delete({ ...parent, hookId: rowId(call) })
  return redirect(address('hooks'))
}
