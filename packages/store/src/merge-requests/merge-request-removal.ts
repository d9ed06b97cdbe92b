import { removeItemLeavings } from '../items/item-removal.ts'
import type { Transaction } from '../queries.ts'
import { inList } from '../sql.ts'
import { touchStamp } from '../stamps.ts'
import { dropClosings } from './closing-store.ts'

const people = ['authorId', 'mergedById', 'closedById', 'mergeUserId'] as const

/**
 * Puts one user in the place of another who goes, in up to `limit` merge requests for each of the parts
 * that the user has in them; answers `limit` where there may be more. Assignments end.
 */
export async function moveMergeRequests(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  let most = 0
  for (const part of people) {
    const { changes } = await tx.run(`users.move-merge-requests|${part}`, args, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ [part]: $('to') })
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('mergeRequests')
            .select('mergeRequests.id')
            .where(part, '=', $('from'))
            .limit($('limit')),
        ),
    )
    most = Math.max(most, changes)
  }
  return most
}

/** Removes up to `limit` merge requests of an author or of a project, with all that hangs on them. */
export async function removeMergeRequests(
  tx: Transaction,
  { limit, ...whose }: ({ userId: number } | { projectId: number }) & { limit: number },
): Promise<number> {
  const column = 'userId' in whose ? 'authorId' : 'projectId'
  const id = 'userId' in whose ? whose.userId : whose.projectId
  const rows = await tx.all(`mergeRequests.doomed|${column}`, { id, limit }, (db, $) =>
    db.selectFrom('mergeRequests').where(column, '=', $('id')).limit($('limit')).select('id'),
  )
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return 0
  await removeItemLeavings(tx, { type: 'merge_request', ids })
  await tx.run('mergeRequests.delete', { ids }, (db, $) =>
    db.deleteFrom('mergeRequests').where(inList('mergeRequests.id', $('ids'))),
  )
  await touchStamp(tx, 'mergeRequests')
  return ids.length
}

/** Ends up to `limit` assignments of a user, and counts those of the requests anew; answers how many. */
export async function endMergeRequestAssignments(
  tx: Transaction,
  args: { userId: number; limit: number },
): Promise<number> {
  const ended = await tx.all('mergeRequests.end-assignments', args, (db, $) =>
    db
      .deleteFrom('mergeRequestAssignees')
      .where('userId', '=', $('userId'))
      .where('mergeRequestId', 'in', (eb) =>
        eb
          .selectFrom('mergeRequestAssignees as some')
          .select('some.mergeRequestId')
          .where('some.userId', '=', $('userId'))
          .limit($('limit')),
      )
      .returning('mergeRequestId'),
  )
  const ids = ended.map(({ mergeRequestId }) => mergeRequestId)
  if (ids.length === 0) return 0
  await tx.run('mergeRequests.recount-assignees', { ids }, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set((eb) => ({
        assigneeCount: eb
          .selectFrom('mergeRequestAssignees')
          .whereRef('mergeRequestAssignees.mergeRequestId', '=', 'mergeRequests.id')
          .select((e) => e.fn.countAll<number>().as('count')),
      }))
      .where(inList('mergeRequests.id', $('ids'))),
  )
  await touchStamp(tx, 'mergeRequests')
  return ids.length
}

/**
 * Closes the open merge requests that come from projects which go, into others (catalogue: merge requests,
 * 2.2). Milliseconds.
 */
export async function closeMergeRequestsFrom(
  tx: Transaction,
  args: { projectIds: readonly number[]; now: number },
): Promise<void> {
  const closed = await tx.all('mergeRequests.close.from', args, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ state: 'closed', closedAt: $('now'), updatedAt: $('now') })
      .where(inList('mergeRequests.sourceProjectId', $('projectIds')))
      .whereRef('sourceProjectId', '<>', 'projectId')
      .where('state', '=', 'opened')
      .returning('id'),
  )
  if (closed.length === 0) return
  await dropClosings(
    tx,
    closed.map((row) => row.id),
  )
  await touchStamp(tx, 'mergeRequests')
}
