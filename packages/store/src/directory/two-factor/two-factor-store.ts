import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import type { Row } from '../../platform/schema/schema.ts'
import { updateUser } from '../users/user-store.ts'

/** The authenticator app of a user. */
export type TwoFactorRow = Pick<Row<'twoFactors'>, 'secret' | 'confirmedAt'>

/** The authenticator app of a user, also one that is not confirmed yet. */
export function findTwoFactor(q: Queries, userId: number): Promise<TwoFactorRow | undefined> {
  return q.first('two-factor.find', { userId }, (db, $) =>
    db.selectFrom('twoFactors').select(['secret', 'confirmedAt']).where('userId', '=', $('userId')),
  )
}

/** Sets or replaces the secret of an app that is not confirmed; false if there is one that is. */
export async function setTwoFactorSecret(
  tx: Transaction,
  args: { userId: number; secret: string; createdAt: number },
): Promise<boolean> {
  const { changes } = await tx.run('two-factor.set-secret', args, (db, $) =>
    db
      .insertInto('twoFactors')
      .values({ userId: $('userId'), secret: $('secret'), createdAt: $('createdAt') })
      .onConflict((conflict) =>
        conflict
          .column('userId')
          .doUpdateSet({ secret: $('secret'), createdAt: $('createdAt') })
          .where('twoFactors.confirmedAt', 'is', null),
      ),
  )
  return changes > 0
}

/** An app whose code may be compared. */
export type TwoFactorAttemptRow = Pick<
  Row<'twoFactors'>,
  'secret' | 'confirmedAt' | 'lastUsedStep' | 'failedAttempts'
>

/**
 * Counts an attempt to send a code, before it is compared; undefined without an app, and after `max`
 * wrong ones in a row of which the last was after `since`. Locks the row until the transaction ends,
 * so concurrent attempts are counted one after another.
 */
export function claimTwoFactorAttempt(
  tx: Transaction,
  args: { userId: number; max: number; since: number; now: number },
): Promise<TwoFactorAttemptRow | undefined> {
  return tx.first('two-factor.claim', args, (db, $) =>
    db
      .updateTable('twoFactors')
      .set((eb) => ({
        failedAttempts: eb
          .case()
          .when('lastAttemptAt', '<=', $('since'))
          .then(eb.lit(1))
          .else(eb('failedAttempts', '+', 1))
          .end(),
        lastAttemptAt: $('now'),
      }))
      .where('userId', '=', $('userId'))
      .where((eb) =>
        eb.or([eb('failedAttempts', '<', $('max')), eb('lastAttemptAt', '<=', $('since'))]),
      )
      .returning(['secret', 'confirmedAt', 'lastUsedStep', 'failedAttempts']),
  )
}

/** When the last attempt to send a code was counted; undefined without an app. */
export async function findLastTwoFactorAttempt(
  q: Queries,
  userId: number,
): Promise<number | undefined> {
  const row = await q.first('two-factor.last-attempt', { userId }, (db, $) =>
    db.selectFrom('twoFactors').select('lastAttemptAt').where('userId', '=', $('userId')),
  )
  return row?.lastAttemptAt
}

/** Forgets the wrong codes in a row, after a right one. */
export async function resetTwoFactorAttempts(tx: Transaction, userId: number): Promise<void> {
  await tx.run('two-factor.reset', { userId }, (db, $) =>
    db.updateTable('twoFactors').set({ failedAttempts: 0 }).where('userId', '=', $('userId')),
  )
}

/** Marks the code of a step as used; false if it or a later one was used before. */
export async function consumeTwoFactorStep(
  tx: Transaction,
  args: { userId: number; step: number },
): Promise<boolean> {
  const { changes } = await tx.run('two-factor.consume', args, (db, $) =>
    db
      .updateTable('twoFactors')
      .set({ lastUsedStep: $('step') })
      .where('userId', '=', $('userId'))
      .where('lastUsedStep', '<', $('step')),
  )
  return changes > 0
}

/** Turns two-factor authentication on, with the app that has just proved to have the secret. */
export async function enableTwoFactor(
  tx: Transaction,
  { userId, now }: { userId: number; now: number },
): Promise<void> {
  await tx.run('two-factor.confirm', { userId, now }, (db, $) =>
    db
      .updateTable('twoFactors')
      .set({ confirmedAt: $('now') })
      .where('userId', '=', $('userId')),
  )
  await updateUser(tx, userId, { twoFactorEnabled: 1, updatedAt: now })
}

/** Turns two-factor authentication off, and deletes app and recovery codes; false if it was off. */
export async function disableTwoFactor(
  tx: Transaction,
  { userId, now, restartGrace }: { userId: number; now: number; restartGrace: boolean },
): Promise<boolean> {
  const { changes } = await tx.run('two-factor.delete', { userId }, (db, $) =>
    db
      .deleteFrom('twoFactors')
      .where('userId', '=', $('userId'))
      .where('confirmedAt', 'is not', null),
  )
  if (changes === 0) return false
  await deleteRecoveryCodes(tx, userId)
  await updateUser(tx, userId, {
    twoFactorEnabled: 0,
    updatedAt: now,
    ...(restartGrace ? { twoFactorGraceStartedAt: null } : {}),
  })
  return true
}

/** How many recovery codes a user has left. */
export async function countRecoveryCodes(q: Queries, userId: number): Promise<number> {
  const row = await q.first('recovery-codes.count', { userId }, (db, $) =>
    db
      .selectFrom('recoveryCodes')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('userId', '=', $('userId')),
  )
  return row?.count ?? 0
}

/** Replaces the recovery codes of a user. */
export async function setRecoveryCodes(
  tx: Transaction,
  { userId, hashes }: { userId: number; hashes: readonly string[] },
): Promise<void> {
  await deleteRecoveryCodes(tx, userId)
  for (const codeHash of hashes) {
    await tx.run('recovery-codes.insert', { userId, codeHash }, (db, $) =>
      db.insertInto('recoveryCodes').values({ userId: $('userId'), codeHash: $('codeHash') }),
    )
  }
}

async function deleteRecoveryCodes(tx: Transaction, userId: number): Promise<void> {
  await tx.run('recovery-codes.delete', { userId }, (db, $) =>
    db.deleteFrom('recoveryCodes').where('userId', '=', $('userId')),
  )
}

/** Uses up a recovery code; false if the user has no such code. */
export async function consumeRecoveryCode(
  tx: Transaction,
  code: { userId: number; codeHash: string },
): Promise<boolean> {
  const { changes } = await tx.run('recovery-codes.consume', code, (db, $) =>
    db
      .deleteFrom('recoveryCodes')
      .where('userId', '=', $('userId'))
      .where('codeHash', '=', $('codeHash')),
  )
  return changes > 0
}
