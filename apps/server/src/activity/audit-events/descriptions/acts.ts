import type { AttributeChange } from '../../../platform/changes/attribute-change.ts'
import type { AuditEntry } from '../audit-entry.ts'

/** One act for each setting that changed. */
export function actsOf(changes: readonly AttributeChange[]): Omit<AuditEntry, 'entity'>[] {
  return changes.map(({ name, from, to }) => ({ act: { change: name, from, to } }))
}
