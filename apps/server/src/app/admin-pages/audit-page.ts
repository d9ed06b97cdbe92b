import { type AuditEvent, auditEntityTypes } from '@stithy/core'
import { listAuditEvents } from '@stithy/store'
import { type Html, html } from '@stithy/web'
import type { FastifyInstance } from 'fastify'
import { presentAuditEvent } from '../../activity/audit-events/audit-event.presenter.ts'
import type { App } from '../../platform/app.ts'
import { adminOnly, adminPath, pageOf, pager, sendAdminPage } from './admin-page.ts'

const path = `${adminPath}/audit_events` as const

/** Registers the audit log, newest first. */
export function registerAuditPage(server: FastifyInstance, app: App): void {
  server.get(
    path,
    adminOnly(async (request, reply, session) => {
      const events = await listAuditEvents(app.db, {}, pageOf(request.query))
      const rows = events.items.map(presentAuditEvent)
      return sendAdminPage(reply, session, {
        path,
        title: 'Audit log',
        body: html`<section class="scroll">${eventTable(rows)}${pager(events, { path })}</section>
<p><code>GET /api/v4/audit_events</code> filters by time and by ${auditEntityTypes.join(', ')}.</p>`,
      })
    }),
  )
}

function eventTable(events: readonly AuditEvent[]): Html {
  if (events.length === 0) return html`<p>Nothing was recorded yet.</p>`
  return html`<table>
<thead><tr><th scope="col">Time</th><th scope="col">Author</th><th scope="col">Act</th><th scope="col">On</th><th scope="col">Entity</th><th scope="col">Address</th></tr></thead>
<tbody>${events.map(eventRow)}</tbody>
</table>`
}

function eventRow({ created_at, details, entity_type }: AuditEvent): Html {
  const { author_name, impersonated_by, target_type, target_details, entity_path } = details
  return html`<tr><td class="time">${created_at.slice(0, 19).replace('T', ' ')}</td>
<td>${author_name}${impersonated_by !== undefined && ` (by ${impersonated_by})`}</td>
<td>${actOf(details)}</td><td>${target_type} ${target_details}</td>
<td>${entity_type} ${entity_path}</td><td>${details.ip_address ?? ''}</td></tr>
`
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
