import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { jsonText } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

export interface NewGrant {
  /** Null for a password that was sent without an application. */
  applicationId: number | null
  /** Null for an application that acts on its own behalf. */
  userId: number | null
  scopes: readonly string[]
  /** Milliseconds since the epoch, as all timestamps. */
  createdAt: number
  expiresAt: number
}

/** Stores a grant, the family of the codes and tokens that are issued for it; returns its id. */
export async function insertGrant(tx: Transaction, grant: NewGrant): Promise<number> {
  const args = { ...grant, scopes: jsonText(grant.scopes) }
  const row = await tx.first('oauthGrants.insert', args, (db, $) =>
    db
      .insertInto('oauthGrants')
      .values({
        applicationId: $('applicationId'),
        userId: $('userId'),
        scopes: $('scopes'),
        createdAt: $('createdAt'),
        expiresAt: $('expiresAt'),
      })
      .returning('id'),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row.id
}

/** Sets when the last code or token of a grant expires. */
export async function extendGrant(
  tx: Transaction,
  args: { id: number; expiresAt: number },
): Promise<void> {
  await tx.run('oauthGrants.extend', args, (db, $) =>
    db
      .updateTable('oauthGrants')
      .set({ expiresAt: $('expiresAt') })
      .where('id', '=', $('id')),
  )
}

/** Revokes everything that was issued for a grant. */
export async function revokeGrant(q: Queries, args: { id: number; now: number }): Promise<void> {
  await q.run('oauthGrants.revoke', args, (db, $) =>
    db
      .updateTable('oauthGrants')
      .set({ revokedAt: $('now'), expiresAt: $('now') })
      .where('id', '=', $('id'))
      .where('revokedAt', 'is', null),
  )
}

/** Revokes what a user's password was exchanged for without an application. */
export async function revokePasswordGrants(
  tx: Transaction,
  args: { userId: number; now: number },
): Promise<void> {
  await tx.run('oauthGrants.revokePassword', args, (db, $) =>
    db
      .updateTable('oauthGrants')
      .set({ revokedAt: $('now'), expiresAt: $('now') })
      .where('userId', '=', $('userId'))
      .where('applicationId', 'is', null)
      .where('revokedAt', 'is', null),
  )
}

export type NewCode = Omit<Row<'oauthCodes'>, 'usedAt'>

/** Stores an authorization code by its hash. */
export async function insertCode(tx: Transaction, code: NewCode): Promise<void> {
  await tx.run('oauthCodes.insert', code, (db, $) =>
    db.insertInto('oauthCodes').values({
      codeHash: $('codeHash'),
      grantId: $('grantId'),
      redirectUri: $('redirectUri'),
      challenge: $('challenge'),
      challengeMethod: $('challengeMethod'),
      expiresAt: $('expiresAt'),
    }),
  )
}

/** Columns of the grant that a code or refresh token belongs to, and of its user. */
export const grantColumns = [
  'oauthGrants.id as grantId',
  'oauthGrants.applicationId',
  'oauthGrants.userId',
  'oauthGrants.scopes',
  'oauthGrants.revokedAt',
  'users.state as userState',
] as const

/** A grant with the state of its user, null if it has none. */
export interface GrantRow {
  grantId: number
  applicationId: number | null
  userId: number | null
  /** JSON array. */
  scopes: string
  revokedAt: number | null
  userState: Row<'users'>['state'] | null
}

export type CodeRow = GrantRow &
  Pick<Row<'oauthCodes'>, 'redirectUri' | 'challenge' | 'challengeMethod' | 'expiresAt' | 'usedAt'>

/** An authorization code by its hash, used and expired ones included. */
export function findCode(q: Queries, codeHash: string): Promise<CodeRow | undefined> {
  return q.first('oauthCodes.find', { codeHash }, (db, $) =>
    db
      .selectFrom('oauthCodes')
      .innerJoin('oauthGrants', 'oauthGrants.id', 'oauthCodes.grantId')
      .innerJoin('users', 'users.id', 'oauthGrants.userId')
      .select(grantColumns)
      .select([
        'oauthCodes.redirectUri',
        'oauthCodes.challenge',
        'oauthCodes.challengeMethod',
        'oauthCodes.expiresAt',
        'oauthCodes.usedAt',
      ])
      .where('oauthCodes.codeHash', '=', $('codeHash'))
      .where('users.kind', '=', 'human'),
  )
}

/** Marks a code as used; returns false if it was used already, by a concurrent request. */
export async function useCode(
  tx: Transaction,
  args: { codeHash: string; now: number },
): Promise<boolean> {
  const { changes } = await tx.run('oauthCodes.use', args, (db, $) =>
    db
      .updateTable('oauthCodes')
      .set({ usedAt: $('now') })
      .where('codeHash', '=', $('codeHash'))
      .where('usedAt', 'is', null),
  )
  return changes > 0
}
