import { current } from '../members/current.ts'
import type { Queries, Transaction } from '../queries.ts'
import { touchStamp } from '../stamps.ts'

export interface NewShare {
  projectId: number
  groupId: number
  groupAccess: number
  /** The last day on which the share counts, `YYYY-MM-DD`. */
  expiresOn: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/**
 * Shares a project with a group; answers the id of the link.
 * @throws UniqueViolationError when it is shared with it already.
 */
export async function insertShare(tx: Transaction, share: NewShare): Promise<number> {
  const row = await tx.first('shares.insert', share, (db, $) =>
    db
      .insertInto('projectGroupLinks')
      .values({
        projectId: $('projectId'),
        groupId: $('groupId'),
        groupAccess: $('groupAccess'),
        expiresOn: $('expiresOn'),
        createdAt: $('createdAt'),
      })
      .returning('id'),
  )
  if (row === undefined) throw new TypeError('An insert answered no row')
  await touchStamp(tx, 'members')
  return row.id
}

/** Ends a share, lapsed or not; false when there is none. */
export async function deleteShare(
  tx: Transaction,
  args: { projectId: number; groupId: number },
): Promise<boolean> {
  const { changes } = await tx.run('shares.delete', args, (db, $) =>
    db
      .deleteFrom('projectGroupLinks')
      .where('projectId', '=', $('projectId'))
      .where('groupId', '=', $('groupId')),
  )
  if (changes > 0) await touchStamp(tx, 'members')
  return changes > 0
}

/** Whether a project is shared with a group on a day, `YYYY-MM-DD`. */
export async function isShared(
  q: Queries,
  args: { projectId: number; groupId: number; today: string },
): Promise<boolean> {
  const row = await q.first('shares.find', args, (db, $) =>
    db
      .selectFrom('projectGroupLinks')
      .select('id')
      .where('projectId', '=', $('projectId'))
      .where('groupId', '=', $('groupId'))
      .where(current('projectGroupLinks', $)),
  )
  return row !== undefined
}
