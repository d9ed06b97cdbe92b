import { auditEntityTypes } from '@stithy/core'
import { auditFilter, auditTimes } from '../../activity/audit-events/audit-filter.ts'
import { auditTable } from '../../activity/audit-events/audit-table.ts'
import { card } from '../../platform/design/card.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { adminAddress, adminPage } from './admin-page.ts'
import { perPage } from './list-query.ts'

/** `GET /admin/audit_events`: of the whole instance, newest first. */
export async function showAuditLog(call: PageCall): Promise<Reply> {
  const { client, query, now } = call
  const type = auditEntityTypes.find((each) => each === query.get('entity_type'))
  const id = entityIdOf(query)
  const events = await client.auditEvents.list({
    per_page: perPage,
    ...pageNumber(query),
    ...auditTimes(query),
    ...(type !== undefined && { entity_type: type, ...(id !== undefined && { entity_id: id }) }),
  })
  const action = adminAddress('audit_events')
  const options = auditEntityTypes.map(
    (each) => html`<option${each === type && html` selected`}>${each}</option>`,
  )
  const more = html`<select name="entity_type" aria-label="Filed under"><option value="">All entities</option>${options}</select>
<input type="text" inputmode="numeric" name="entity_id" value="${id}" placeholder="ID" aria-label="ID of the user, group or project" size="8">`
  return adminPage({
    area: 'audit_events',
    body: html`${auditFilter({ action, query, more })}
${card({ body: auditTable({ events: events.items, now, hasEntity: true }), isFlush: true })}
${pagination(events, action, query)}`,
  })
}

function entityIdOf(query: URLSearchParams): number | undefined {
  const text = query.get('entity_id')?.trim() ?? ''
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
