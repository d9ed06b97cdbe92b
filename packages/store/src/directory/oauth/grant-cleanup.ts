import type { Transaction } from '../../platform/queries/queries.ts'

/** Deletes up to `limit` grants of an application with their codes and tokens; returns how many. */
export async function deleteGrantsOf(
  tx: Transaction,
  args: { applicationId: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('oauthGrants.delete.application', args, (db, $) =>
    db
      .deleteFrom('oauthGrants')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('oauthGrants')
          .select('id')
          .where('applicationId', '=', $('applicationId'))
          .limit($('limit')),
      ),
  )
  return changes
}

interface Ended {
  /** Milliseconds since the epoch. */
  before: number
  limit: number
}

/** Deletes up to `limit` grants whose last token expired before a time; returns how many. */
export async function deleteEndedGrants(tx: Transaction, args: Ended): Promise<number> {
  const { changes } = await tx.run('oauthGrants.delete.ended', args, (db, $) =>
    db
      .deleteFrom('oauthGrants')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('oauthGrants')
          .select('id')
          .where('expiresAt', '<=', $('before'))
          .limit($('limit')),
      ),
  )
  return changes
}

/** Deletes up to `limit` access tokens that expired before a time; returns how many. */
export async function deleteEndedAccessTokens(tx: Transaction, args: Ended): Promise<number> {
  const { changes } = await tx.run('oauthTokens.delete.ended', args, (db, $) =>
    db
      .deleteFrom('tokens')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('tokens')
          .select('id')
          .where('oauthGrantId', 'is not', null)
          .where('expiresAt', '<=', $('before'))
          .limit($('limit')),
      ),
  )
  return changes
}

/** Deletes up to `limit` authorization codes that expired before a time; returns how many. */
export async function deleteEndedCodes(tx: Transaction, args: Ended): Promise<number> {
  const { changes } = await tx.run('oauthCodes.delete.ended', args, (db, $) =>
    db
      .deleteFrom('oauthCodes')
      .where('codeHash', 'in', (eb) =>
        eb
          .selectFrom('oauthCodes')
          .select('codeHash')
          .where('expiresAt', '<=', $('before'))
          .limit($('limit')),
      ),
  )
  return changes
}

/** Deletes up to `limit` refresh tokens that were used before a time; returns how many. */
export async function deleteUsedRefreshTokens(tx: Transaction, args: Ended): Promise<number> {
  const { changes } = await tx.run('oauthRefreshTokens.delete.used', args, (db, $) =>
    db
      .deleteFrom('oauthRefreshTokens')
      .where('tokenHash', 'in', (eb) =>
        eb
          .selectFrom('oauthRefreshTokens')
          .select('tokenHash')
          .where('usedAt', '<=', $('before'))
          .limit($('limit')),
      ),
  )
  return changes
}
