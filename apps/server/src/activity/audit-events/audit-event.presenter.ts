import type { AuditEvent } from '@stithy/core'
import { type AuditEventRow, fromJsonText } from '@stithy/store'
import type { StoredAuditDetails } from './audit-entry.ts'

/** Presents an event: what was changed is the entity, unless something else is named. */
export function presentAuditEvent(row: AuditEventRow): AuditEvent {
  const { entityType, entityId, entityPath } = row
  const stored = fromJsonText<StoredAuditDetails>(row.details)
  return {
    id: row.id,
    author_id: row.authorId,
    entity_id: entityId,
    entity_type: entityType,
    details: {
      target_type: entityType,
      target_id: entityId,
      target_details: entityPath,
      ...stored,
      entity_path: entityPath,
    },
    created_at: new Date(row.createdAt).toISOString(),
  }
}
