import type { AuditEvent } from '@stithy/core'
import { emptyState } from '../../platform/design/card.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { timeAgo } from '../../platform/text/time.ts'

interface AuditTable {
  events: readonly AuditEvent[]
  now: number
  /** Whether what an event is filed under is shown: it is the same for all of a project. */
  hasEntity: boolean
}

/** Who did what, when and from where. */
export function auditTable({ events, now, hasEntity }: AuditTable): Html {
  if (events.length === 0) {
    return emptyState({ title: 'No events', text: 'Nothing was recorded, or nothing matches.' })
  }
  return dataTable({
    label: 'Audit events',
    columns: [
      { text: 'Time' },
      { text: 'Author' },
      { text: 'Act' },
      { text: 'On' },
      ...(hasEntity ? [{ text: 'Entity' }] : []),
      { text: 'Address' },
    ],
    rows: events.map(({ created_at, details, entity_type }) => [
      timeAgo(created_at, now),
      html`${details.author_name}${details.impersonated_by !== undefined && ` (by ${details.impersonated_by})`}`,
      actOf(details),
      `${details.target_type} ${details.target_details}`,
      ...(hasEntity ? [`${entity_type} ${details.entity_path}`] : []),
      html`<span class="nowrap">${details.ip_address}</span>`,
    ]),
  })
}

/** `change visibility: private → public` */
function actOf({ add, change, remove, from, to, as }: AuditEvent['details']): string {
  const [verb, what] = [
    ['add', add],
    ['change', change],
    ['remove', remove],
  ].find(([, name]) => name !== undefined) ?? ['change', '']
  const values = from === undefined && to === undefined ? '' : `: ${from ?? '–'} → ${to ?? '–'}`
  return `${verb} ${what}${values}${as === undefined ? '' : ` as ${as}`}`
}
