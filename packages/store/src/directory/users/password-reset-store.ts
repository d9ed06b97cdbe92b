import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** Stores the token of a user, in place of an earlier one. */
export async function savePasswordReset(
  tx: Transaction,
  reset: Row<'passwordResets'>,
): Promise<void> {
  await tx.run('password-resets.save', reset, (db, $) =>
    db
      .insertInto('passwordResets')
      .values(pick($, ['userId', 'tokenHash', 'expiresAt']))
      .onConflict((conflict) =>
        conflict
          .column('userId')
          .doUpdateSet({ tokenHash: $('tokenHash'), expiresAt: $('expiresAt') }),
      ),
  )
}

/** Finds a token by its hash, also an expired one. */
export function findPasswordReset(
  q: Queries,
  tokenHash: string,
): Promise<Row<'passwordResets'> | undefined> {
  return q.first('password-resets.find', { tokenHash }, (db, $) =>
    db.selectFrom('passwordResets').selectAll().where('tokenHash', '=', $('tokenHash')),
  )
}

/** Deletes a token that is still valid, so that it is used once; returns the id of its user. */
export async function takePasswordReset(
  tx: Transaction,
  args: { tokenHash: string; now: number },
): Promise<number | undefined> {
  const row = await tx.first('password-resets.take', args, (db, $) =>
    db
      .deleteFrom('passwordResets')
      .where('tokenHash', '=', $('tokenHash'))
      .where('expiresAt', '>', $('now'))
      .returning('userId'),
  )
  return row?.userId
}

/** Deletes the token of a user, if any: the link that was mailed ends. */
export async function deletePasswordReset(tx: Transaction, userId: number): Promise<void> {
  await tx.run('password-resets.delete', { userId }, (db, $) =>
    db.deleteFrom('passwordResets').where('userId', '=', $('userId')),
  )
}
