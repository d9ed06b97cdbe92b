import {
  type AuditEntityType,
  type auditEventsContract,
  type groupAuditEventsContract,
  invalidParameter,
  notFound,
  type projectAuditEventsContract,
} from '@stithy/core'
import {
  type AuditEventFilter,
  findAuditEvent,
  listAuditEvents,
  type Page,
  type PageRequest,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { presentAuditEvent } from './audit-event.presenter.ts'

type Times = { created_after?: number | undefined; created_before?: number | undefined }
type Entity = Pick<AuditEventFilter, 'entityType' | 'entityId'>

export const auditEventHandlers: Handlers<typeof auditEventsContract> = {
  async list({ app, query, page }) {
    const { entity_type: entityType, entity_id: entityId } = query
    if (entityId !== undefined && entityType === undefined) {
      throw invalidParameter('entity_type is missing')
    }
    return listOf(app, { entityType, entityId }, query, page)
  },

  show: ({ app, params }) => showOf(app, params.audit_event_id, {}),
}

export const groupAuditEventHandlers: Handlers<typeof groupAuditEventsContract> = {
  list: ({ app, subject, query, page }) => listOf(app, entity('Group', subject), query, page),
  show: ({ app, subject, params }) => showOf(app, params.audit_event_id, entity('Group', subject)),
}

export const projectAuditEventHandlers: Handlers<typeof projectAuditEventsContract> = {
  list: ({ app, subject, query, page }) => listOf(app, entity('Project', subject), query, page),
  show: ({ app, subject, params }) =>
    showOf(app, params.audit_event_id, entity('Project', subject)),
}

function entity(entityType: AuditEntityType, { row }: { row: { id: number } }): Entity {
  return { entityType, entityId: row.id }
}

async function listOf(app: App, of: Entity, times: Times, page: PageRequest) {
  const { created_after: createdAfter, created_before: createdBefore } = times
  const found = await listAuditEvents(app.db, { ...of, createdAfter, createdBefore }, page)
  return { ...found, items: found.items.map(presentAuditEvent) } satisfies Page<unknown>
}

async function showOf(app: App, id: number, of: Entity) {
  const row = await findAuditEvent(app.db, id, of)
  if (row === undefined) throw notFound('Audit Event')
  return presentAuditEvent(row)
}
