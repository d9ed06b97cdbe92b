import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { jsonText } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

export interface NewAccessToken {
  grantId: number
  userId: number | null
  /** The name of the application. */
  name: string
  tokenHash: string
  scopes: readonly string[]
  /** Milliseconds since the epoch. */
  createdAt: number
  expiresAt: number
}

/** Stores an access token by its hash, beside the personal access tokens. */
export async function insertAccessToken(tx: Transaction, token: NewAccessToken): Promise<void> {
  const args = { ...token, scopes: jsonText(token.scopes) }
  await tx.run('oauthTokens.insert', args, (db, $) =>
    db.insertInto('tokens').values({
      userId: $('userId'),
      oauthGrantId: $('grantId'),
      kind: 'oauth',
      name: $('name'),
      tokenHash: $('tokenHash'),
      scopes: $('scopes'),
      expiresAt: $('expiresAt'),
      createdAt: $('createdAt'),
    }),
  )
}

/** Revokes the access tokens of a grant that were issued so far. */
export async function revokeAccessTokens(tx: Transaction, grantId: number): Promise<void> {
  await tx.run('oauthTokens.revoke', { grantId }, (db, $) =>
    db
      .updateTable('tokens')
      .set({ revoked: 1 })
      .where('oauthGrantId', '=', $('grantId'))
      .where('revoked', '=', 0),
  )
}

/** An OAuth access token with its application and user, if it has them. */
export interface AccessTokenRow {
  grantId: number
  /** JSON array. */
  scopes: string
  revoked: 0 | 1
  expiresAt: number | null
  createdAt: number
  grantRevokedAt: number | null
  applicationId: number | null
  applicationUid: string | null
  applicationDeletedAt: number | null
  userId: number | null
  userState: Row<'users'>['state'] | null
  username: string | null
}

/** An OAuth access token by its hash, revoked and expired ones included. */
export function findAccessToken(
  q: Queries,
  tokenHash: string,
): Promise<AccessTokenRow | undefined> {
  return q.first('oauthTokens.find', { tokenHash }, (db, $) =>
    db
      .selectFrom('tokens')
      .innerJoin('oauthGrants', 'oauthGrants.id', 'tokens.oauthGrantId')
      .leftJoin('oauthApplications', 'oauthApplications.id', 'oauthGrants.applicationId')
      .leftJoin('users', 'users.id', 'tokens.userId')
      .select([
        'oauthGrants.id as grantId',
        'tokens.scopes',
        'tokens.revoked',
        'tokens.expiresAt',
        'tokens.createdAt',
        'oauthGrants.revokedAt as grantRevokedAt',
        'oauthGrants.applicationId',
        'oauthApplications.uid as applicationUid',
        'oauthApplications.deletedAt as applicationDeletedAt',
        'tokens.userId',
        'users.state as userState',
        'users.username',
      ])
      .where('tokens.tokenHash', '=', $('tokenHash')),
  )
}
