import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import { current } from '../members/current.ts'

export interface NewShare {
  projectId: number
  groupId: number
  groupAccess: number
  /** The last day of the share, `YYYY-MM-DD`. */
  expiresOn: string | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

/**
 * Shares a project with a group; returns the id of the link.
 * @throws UniqueViolationError if it is shared with the group already.
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
  if (row === undefined) throw new TypeError('An insert returned no row')
  touchStamp(tx, 'members')
  return row.id
}

/** Deletes a share, expired or not; false if there is none. */
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
  if (changes > 0) touchStamp(tx, 'members')
  return changes > 0
}

/** Whether a project is shared with a group on a date, `YYYY-MM-DD`. */
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
