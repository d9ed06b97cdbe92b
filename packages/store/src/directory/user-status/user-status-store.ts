import type { Queries, Transaction } from '../../platform/queries/queries.ts'

/** What a user is doing. */
export interface UserStatusRow {
  /** The name of an emoji. */
  emoji: string
  message: string
}

/** The status of a user, or undefined. */
export function findUserStatus(q: Queries, userId: number): Promise<UserStatusRow | undefined> {
  return q.first('user-status.find', { userId }, (db, $) =>
    db.selectFrom('userStatuses').select(['emoji', 'message']).where('userId', '=', $('userId')),
  )
}

/** Sets or replaces the status of a user. */
export async function setUserStatus(
  tx: Transaction,
  status: UserStatusRow & { userId: number },
): Promise<void> {
  await tx.run('user-status.set', status, (db, $) =>
    db
      .insertInto('userStatuses')
      .values({ userId: $('userId'), emoji: $('emoji'), message: $('message') })
      .onConflict((conflict) =>
        conflict.column('userId').doUpdateSet({ emoji: $('emoji'), message: $('message') }),
      ),
  )
}

/** Clears the status of a user. */
export async function deleteUserStatus(tx: Transaction, userId: number): Promise<void> {
  await tx.run('user-status.delete', { userId }, (db, $) =>
    db.deleteFrom('userStatuses').where('userId', '=', $('userId')),
  )
}
