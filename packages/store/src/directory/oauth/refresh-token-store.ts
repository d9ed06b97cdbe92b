import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import type { Row } from '../../platform/schema/schema.ts'
import { type GrantRow, grantColumns } from './grant-store.ts'

export type NewRefreshToken = Omit<Row<'oauthRefreshTokens'>, 'usedAt'>

/** Stores a refresh token by its hash. */
export async function insertRefreshToken(tx: Transaction, token: NewRefreshToken): Promise<void> {
  await tx.run('oauthRefreshTokens.insert', token, (db, $) =>
    db.insertInto('oauthRefreshTokens').values({
      tokenHash: $('tokenHash'),
      grantId: $('grantId'),
      createdAt: $('createdAt'),
      expiresAt: $('expiresAt'),
    }),
  )
}

export type RefreshTokenRow = GrantRow &
  Pick<Row<'oauthRefreshTokens'>, 'createdAt' | 'expiresAt' | 'usedAt'> & {
    /** Null for a grant without an application, or one that is being deleted. */
    applicationUid: string | null
    username: string | null
  }

/** A refresh token by its hash, used and expired ones included. */
export function findRefreshToken(
  q: Queries,
  tokenHash: string,
): Promise<RefreshTokenRow | undefined> {
  return q.first('oauthRefreshTokens.find', { tokenHash }, (db, $) =>
    db
      .selectFrom('oauthRefreshTokens')
      .innerJoin('oauthGrants', 'oauthGrants.id', 'oauthRefreshTokens.grantId')
      .innerJoin('users', 'users.id', 'oauthGrants.userId')
      .leftJoin('oauthApplications', 'oauthApplications.id', 'oauthGrants.applicationId')
      .select(grantColumns)
      .select([
        'oauthRefreshTokens.createdAt',
        'oauthRefreshTokens.expiresAt',
        'oauthRefreshTokens.usedAt',
        'oauthApplications.uid as applicationUid',
        'users.username',
      ])
      .where('oauthRefreshTokens.tokenHash', '=', $('tokenHash'))
      .where('users.kind', '=', 'human')
      .where('oauthApplications.deletedAt', 'is', null),
  )
}

/** Marks a refresh token as used; returns false if it was used already, by a concurrent request. */
export async function useRefreshToken(
  tx: Transaction,
  args: { tokenHash: string; now: number },
): Promise<boolean> {
  const { changes } = await tx.run('oauthRefreshTokens.use', args, (db, $) =>
    db
      .updateTable('oauthRefreshTokens')
      .set({ usedAt: $('now') })
      .where('tokenHash', '=', $('tokenHash'))
      .where('usedAt', 'is', null),
  )
  return changes > 0
}
