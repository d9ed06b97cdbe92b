import type { AuditDetails, AuditEntityType } from '@stithy/core'
import {
  type AuditedEntity,
  findAuditedEntity,
  type Queries,
  type Transaction,
} from '@stithy/store'
import type { Change, ChangeKind } from '../../platform/changes/change.ts'
import { currentRequest } from '../../platform/http/request-context.ts'

/** What was changed, if it is not the entity itself. */
export interface AuditTarget {
  type: string
  /** Null for what has no id. */
  id: number | null
  name: string
}

/** What was done. */
export type AuditAct = Pick<AuditDetails, 'add' | 'change' | 'remove' | 'from' | 'to' | 'as'>

/** One audit event, without what is known of its author and client. */
export interface AuditEntry {
  entity: AuditedEntity
  act: AuditAct
  target?: AuditTarget
}

/** The same act on many groups or projects. */
export interface BulkAuditEntry {
  entityType: 'Group' | 'Project'
  ids: readonly number[]
  act: AuditAct
}

/** The entries of one change. */
export type Describe<K extends ChangeKind> = (
  tx: Transaction,
  change: Change<K>,
) => Promise<readonly (AuditEntry | BulkAuditEntry)[]>

/** How kinds of changes are described. */
export type Descriptions = { readonly [K in ChangeKind]?: Describe<K> }

/** An event's details as they are stored: what follows from its columns is left out. */
export type StoredAuditDetails = AuditAct &
  Pick<AuditDetails, 'author_name' | 'impersonated_by' | 'ip_address'> &
  Partial<Pick<AuditDetails, 'target_type' | 'target_id' | 'target_details'>>

/** The entries for an entity; none if it is gone. */
export async function entriesOn(
  q: Queries,
  type: AuditEntityType,
  id: number,
  acts: readonly Omit<AuditEntry, 'entity'>[],
): Promise<AuditEntry[]> {
  if (acts.length === 0) return []
  const entity = await findAuditedEntity(q, type, id)
  return entity === undefined ? [] : acts.map((act) => ({ entity, ...act }))
}

/** The entry for what belongs to the whole instance: it is filed under who did it. */
export async function instanceEntries(
  q: Queries,
  userId: number | null,
  ...acts: readonly Omit<AuditEntry, 'entity'>[]
): Promise<AuditEntry[]> {
  const authorId = userId ?? currentRequest()?.user?.id
  return authorId === undefined ? [] : entriesOn(q, 'User', authorId, acts)
}
