import type { Transaction } from '../queries.ts'
import { inList } from '../sql.ts'
import { touchStamp } from '../stamps.ts'

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

/** Removes up to `limit` merge requests of an author; answers how many. */
export async function removeMergeRequests(
  tx: Transaction,
  args: { userId: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('users.remove-merge-requests', args, (db, $) =>
    db
      .deleteFrom('mergeRequests')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('mergeRequests')
          .select('mergeRequests.id')
          .where('authorId', '=', $('userId'))
          .limit($('limit')),
      ),
  )
  if (changes > 0) await touchStamp(tx, 'mergeRequests')
  return changes
}

/**
 * Closes the open merge requests that come from projects which go, into others (catalogue: merge requests,
 * 2.2). Milliseconds.
 */
export async function closeMergeRequestsFrom(
  tx: Transaction,
  args: { projectIds: readonly number[]; now: number },
): Promise<void> {
  const { changes } = await tx.run('mergeRequests.close.from', args, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ state: 'closed', closedAt: $('now'), updatedAt: $('now') })
      .where(inList('mergeRequests.sourceProjectId', $('projectIds')))
      .whereRef('sourceProjectId', '<>', 'projectId')
      .where('state', '=', 'opened'),
  )
  if (changes > 0) await touchStamp(tx, 'mergeRequests')
}
