import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { current } from '../members/current.ts'
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

/** One page of the pending requests for a project or group, oldest first. At most two queries. */
export async function listAccessRequests(
  q: Queries,
  source: MemberSource,
  request: PageRequest,
): Promise<Page<AccessRequestRow>> {
  return listUncached(q, request, {
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

/** Whether any request for a project or group is pending. */
export async function hasAccessRequests(q: Queries, source: MemberSource): Promise<boolean> {
  const found = await q.first('access-requests.any', source, (db, $) =>
    db
      .selectFrom('accessRequests')
      .where('sourceKind', '=', $('sourceKind'))
      .where('sourceId', '=', $('sourceId'))
      .select('id')
      .limit(1),
  )
  return found !== undefined
}

/** Members who decide about requests: those of a level, here or in a group above. */
export interface DecidersArgs extends MemberSource {
  /** The group of the project, or the group itself. */
  namespaceId: number
  /** The lowest level that decides. */
  level: number
  /** `YYYY-MM-DD`: memberships that ended before it do not count. */
  today: string
  limit: number
}

/** The users who decide about requests for a project or group, in order of their ids. One query. */
export async function listDeciders(q: Queries, args: DecidersArgs): Promise<number[]> {
  const rows = await q.all('access-requests.deciders', args, (db, $) => {
    const direct = db
      .selectFrom('members as m')
      .where('m.sourceKind', '=', $('sourceKind'))
      .where('m.sourceId', '=', $('sourceId'))
      .where('m.accessLevel', '>=', $('level'))
      .where(current('m', $))
      .select('m.userId')
    const above = db
      .selectFrom('namespaceAncestors as a')
      .innerJoin('members as m', 'm.sourceId', 'a.ancestorId')
      .where('a.descendantId', '=', $('namespaceId'))
      .where('m.sourceKind', '=', 'group')
      .where('m.accessLevel', '>=', $('level'))
      .where(current('m', $))
      .select('m.userId')
    return db
      .selectFrom(direct.union(above).as('d'))
      .innerJoin('users', 'users.id', 'd.userId')
      .where('users.state', '=', 'active')
      .select('d.userId')
      .orderBy('d.userId')
      .limit($('limit'))
  })
  return rows.map(({ userId }) => userId)
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
