import { type Page, type PageRequest, selectPage } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import type { MemberSource } from '../members/member-store.ts'
import { type UserRefRow, userRefColumns } from '../users/user-row.ts'

/** A pending request of a user to become a member. */
export interface AccessRequestRow extends UserRefRow {
  /** When access was requested, in milliseconds since the epoch. */
  requestedAt: number
}

/** The request of a user for a project or group. */
export interface AccessRequestKey extends MemberSource {
  userId: number
}

/** One page of the pending requests for a project or group, oldest first. Two queries. */
export async function listAccessRequests(
  q: Queries,
  source: MemberSource,
  request: PageRequest,
): Promise<Page<AccessRequestRow>> {
  const items = await selectPage(q, request, {
    shape: 'access-requests.list',
    args: source,
    key: 'accessRequests.id',
    from: (db, $) =>
      db
        .selectFrom('accessRequests')
        .innerJoin('users', 'users.id', 'accessRequests.userId')
        .where('accessRequests.sourceKind', '=', $('sourceKind'))
        .where('accessRequests.sourceId', '=', $('sourceId')),
    order: (query) => query.orderBy('accessRequests.id'),
    columns: (query) =>
      query.select([...userRefColumns, 'accessRequests.createdAt as requestedAt']),
  })
  return { items, total: await countAccessRequests(q, source), ...request }
}

async function countAccessRequests(q: Queries, source: MemberSource): Promise<number> {
  const counted = await q.first('access-requests.count', source, (db, $) =>
    db
      .selectFrom('accessRequests')
      .where('accessRequests.sourceKind', '=', $('sourceKind'))
      .where('accessRequests.sourceId', '=', $('sourceId'))
      .select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return counted?.total ?? 0
}

/** A pending request, or undefined. */
export function findAccessRequest(
  q: Queries,
  key: AccessRequestKey,
): Promise<AccessRequestRow | undefined> {
  return q.first('access-requests.find', key, (db, $) =>
    db
      .selectFrom('accessRequests')
      .innerJoin('users', 'users.id', 'accessRequests.userId')
      .select([...userRefColumns, 'accessRequests.createdAt as requestedAt'])
      .where('accessRequests.sourceKind', '=', $('sourceKind'))
      .where('accessRequests.sourceId', '=', $('sourceId'))
      .where('accessRequests.userId', '=', $('userId')),
  )
}

/** @throws UniqueViolationError if the user has a pending request already. */
export async function insertAccessRequest(
  tx: Transaction,
  request: AccessRequestKey & { createdAt: number },
): Promise<void> {
  await tx.run('access-requests.insert', request, (db, $) =>
    db.insertInto('accessRequests').values({
      userId: $('userId'),
      sourceKind: $('sourceKind'),
      sourceId: $('sourceId'),
      createdAt: $('createdAt'),
    }),
  )
}

/** Deletes a pending request; false if there is none. */
export async function deleteAccessRequest(
  tx: Transaction,
  key: AccessRequestKey,
): Promise<boolean> {
  const { changes } = await tx.run('access-requests.delete', key, (db, $) =>
    db
      .deleteFrom('accessRequests')
      .where('sourceKind', '=', $('sourceKind'))
      .where('sourceId', '=', $('sourceId'))
      .where('userId', '=', $('userId')),
  )
  return changes > 0
}

/** Deletes all requests for a project or group. */
export async function deleteAccessRequestsFor(
  tx: Transaction,
  source: MemberSource,
): Promise<void> {
  await tx.run('access-requests.delete.source', source, (db, $) =>
    db
      .deleteFrom('accessRequests')
      .where('sourceKind', '=', $('sourceKind'))
      .where('sourceId', '=', $('sourceId')),
  )
}
