import { webhookTriggers } from '@stithy/core'
import { loadSettingsOwner, type SettingsOwner } from '../../directory/settings/settings-owner.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { pagination } from '../../platform/design/navigation.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import { html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { type Hook, listHooks } from './hook-calls.ts'
import { hookFields, triggerTexts } from './hook-form.ts'

/** `GET /<project>/-/hooks`, `/groups/<group>/-/hooks`. */
export function showHooks(call: PageCall): Promise<Reply> {
  return hookList(call)
}

/** The list, with the form of a new webhook, which may have been refused. */
export async function hookList(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const owner = await loadSettingsOwner(call)
  const hooks = await listHooks(call, owner.parent, pageNumber(call.query))
  const path = owner.address('hooks')
  const list =
    hooks.items.length === 0
      ? emptyState({
          title: 'No webhooks',
          text: `A webhook sends the events of this ${owner.noun} to another server.`,
        })
      : dataTable({
          label: 'Webhooks',
          columns: [{ text: 'URL' }, { text: 'Events' }, { text: 'Actions', kind: 'actions' }],
          rows: hooks.items.map((hook) => hookRow(call, owner, hook)),
        })
  return owner.page({
    current: 'hooks',
    failed,
    body: html`${card({ body: list, isFlush: true })}
${pagination(hooks, path, call.query)}
${card({ title: 'Add a webhook', body: hookFields(call, { action: path, button: 'Add webhook', failed }) })}`,
  })
}

function hookRow(call: PageCall, owner: SettingsOwner, hook: Hook) {
  const { id, url } = hook
  const events = webhookTriggers.filter((name) => hook[name]).map((name) => triggerTexts[name])
  return [
    html`<a href="${owner.address('hooks', id, 'edit')}">${url}</a>${!hook.enable_ssl_verification && html` <span class="muted">certificate not checked</span>`}`,
    events.join(', ') || 'None',
    confirmation(call, {
      action: owner.address('hooks', id, 'delete'),
      text: 'Delete',
      label: `Delete ${url}`,
      question: 'Its deliveries are deleted too.',
    }),
  ]
}
