import { deleteItemDependents, dependentsAtOnce } from '../../planning/items/item-removal.ts'
import type { Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import { removeViewedFiles } from '../viewed-files/viewed-file-store.ts'
import { deleteClosings } from './closing-store.ts'

const people = [
  'authorId',
  'mergedById',
  'closedById',
  'updatedById',
  'lastEditedById',
  'mergeUserId',
] as const

/**
 * Replaces one user by another in up to `limit` merge requests for each of the user's roles;
 * returns `limit` if there may be more. Assignments are removed.
 */
export async function moveMergeRequests(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  let maxChanges = 0
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
    maxChanges = Math.max(maxChanges, changes)
  }
  return maxChanges
}

/**
 * Deletes up to `limit` merge requests of an author or of a project, with their dependents; returns
 * `limit` if there may be more.
 */
export async function removeMergeRequests(
  tx: Transaction,
  { limit, ...owner }: ({ userId: number } | { projectId: number }) & { limit: number },
): Promise<number> {
  const column = 'userId' in owner ? 'authorId' : 'projectId'
  const id = 'userId' in owner ? owner.userId : owner.projectId
  const rows = await tx.all(`mergeRequests.toDelete|${column}`, { id, limit }, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .where(column, '=', $('id'))
      .limit($('limit'))
      .select(['id', 'projectId']),
  )
  const isRest = (await deleteMergeRequests(tx, rows, dependentsAtOnce)) === dependentsAtOnce
  return isRest ? limit : rows.length
}

/**
 * Deletes up to `limit` rows of each kind that depend on merge requests and, if there were fewer, the
 * merge requests; returns the largest of the numbers.
 */
export async function deleteMergeRequests(
  tx: Transaction,
  rows: readonly { id: number; projectId: number }[],
  limit: number,
): Promise<number> {
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return 0
  const count = await deleteItemDependents(tx, { type: 'merge_request', ids, limit })
  const marks = await removeViewedFiles(tx, { ids, limit })
  if (Math.max(count, marks) === limit) return limit
  await deleteClosings(tx, ids)
  await tx.run('mergeRequests.delete', { ids }, (db, $) =>
    db.deleteFrom('mergeRequests').where(inList('mergeRequests.id', $('ids'))),
  )
  for (const { projectId } of rows) touchStamp(tx, stampOf('mergeRequests', projectId))
  return Math.max(count, marks)
}

/**
 * Removes up to `limit` assignments of a user and recounts the assignees of the merge requests;
 * returns how many.
 */
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
  touchStamp(tx, 'mergeRequests')
  return ids.length
}
