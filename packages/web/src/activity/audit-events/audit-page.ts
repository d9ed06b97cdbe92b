import { loadSettingsOwner } from '../../directory/settings/settings-owner.ts'
import { card } from '../../platform/design/card.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { auditFilter, auditTimes } from './audit-filter.ts'
import { auditTable } from './audit-table.ts'

/** `GET …/-/audit_events` of a project or group. */
export async function showAuditEvents(call: PageCall): Promise<Reply> {
  const owner = await loadSettingsOwner(call)
  const { query, now } = call
  const events = await call.client.auditEvents.list({
    ...owner.parent,
    ...auditTimes(query),
    ...pageNumber(query),
  })
  const action = owner.address('audit_events')
  return owner.page({
    current: 'audit_events',
    body: html`${auditFilter({ action, query })}
${card({ body: auditTable({ events: events.items, now, hasEntity: false }), isFlush: true })}
${pagination(events, action, query)}`,
  })
}
