import type { AuditDetails } from '@stithy/core'
import {
  findAuthorName,
  insertAuditEvent,
  insertAuditEventsOf,
  jsonText,
  type Transaction,
} from '@stithy/store'
import type { Change, ChangeBy, ChangeKind } from '../../platform/changes/change.ts'
import { currentRequest } from '../../platform/http/request-context.ts'
import type {
  AuditEntry,
  BulkAuditEntry,
  Describe,
  Descriptions,
  StoredAuditDetails,
} from './audit-entry.ts'
import { accessDescriptions } from './descriptions/access.ts'
import { applicationDescriptions } from './descriptions/applications.ts'
import { instanceDescriptions } from './descriptions/instance.ts'
import { peopleDescriptions } from './descriptions/people.ts'
import { sourceDescriptions } from './descriptions/sources.ts'

const descriptions: Descriptions = {
  ...accessDescriptions,
  ...applicationDescriptions,
  ...instanceDescriptions,
  ...peopleDescriptions,
  ...sourceDescriptions,
}

/** The name of the author of what nobody who is signed in has done. */
const nobody = { server: 'Server', client: 'Nobody signed in' } as const

/** Records an administrative or security-relevant change as audit events. */
export async function recordAuditEvents<K extends ChangeKind>(
  tx: Transaction,
  change: Change<K>,
): Promise<void> {
  const describe = descriptions[change.kind] as Describe<K> | undefined
  if (describe === undefined) throw new TypeError(`${change.kind} has no description`)
  const entries = await describe(tx, change)
  if (entries.length === 0) return
  const author = await authorOf(tx, change)
  for (const entry of entries) await insertEntry(tx, entry, author, change.now)
}

interface Author {
  id: number | null
  facts: Pick<AuditDetails, 'author_name' | 'impersonated_by' | 'ip_address'>
}

/** Who made a change: the caller, also where the change does not name them. */
async function authorOf(
  tx: Transaction,
  { kind, userId }: { kind: ChangeKind } & ChangeBy,
): Promise<Author> {
  const request = currentRequest()
  const id = kind === 'member.expired' ? null : (userId ?? request?.user?.id ?? null)
  const known = request?.user?.id === id ? request?.user?.name : undefined
  const name = known ?? (id === null ? undefined : await findAuthorName(tx, id))
  const impersonatedBy = request?.impersonatedBy
  return {
    id,
    facts: {
      author_name: name ?? (request === undefined ? nobody.server : nobody.client),
      ...(impersonatedBy === undefined ? {} : { impersonated_by: impersonatedBy }),
      ip_address: request?.address ?? null,
    },
  }
}

async function insertEntry(
  tx: Transaction,
  entry: AuditEntry | BulkAuditEntry,
  { id: authorId, facts }: Author,
  createdAt: number,
): Promise<void> {
  const details: StoredAuditDetails = { ...entry.act, ...facts }
  if ('ids' in entry) {
    const { ids, entityType } = entry
    const act = { ids, authorId, details: jsonText(details), createdAt }
    if (ids.length > 0) await insertAuditEventsOf(tx, entityType, act)
    return
  }
  const { target, entity } = entry
  if (target !== undefined) {
    details.target_type = target.type
    details.target_id = target.id
    details.target_details = target.name
  }
  await insertAuditEvent(tx, { ...entity, authorId, details: jsonText(details), createdAt })
}
