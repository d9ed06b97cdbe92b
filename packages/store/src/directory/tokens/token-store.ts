import { tokenExpiry } from '@stithy/core'
import type { ExpressionBuilder } from 'kysely'
import { listUncached, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { jsonText } from '../../platform/queries/sql.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'
import { type CallerRow, callerColumns } from '../users/user-row.ts'

export type TokenKind = Row<'tokens'>['kind']

/** A token without its hash. */
export type TokenRow = Omit<Row<'tokens'>, 'tokenHash' | 'oauthGrantId'>

export interface NewToken {
  userId: number
  kind: TokenKind
  name: string
  tokenHash: string
  scopes: readonly string[]
  /** `YYYY-MM-DD`, or null for a token that never expires. */
  expiresOn: string | null
  /** The creator, if it isn't the token's user. */
  createdById: number | null
  /** Milliseconds since the epoch. */
  createdAt: number
}

const tokenColumns = [
  'tokens.id',
  'tokens.userId',
  'tokens.kind',
  'tokens.name',
  'tokens.scopes',
  'tokens.revoked',
  'tokens.expiresOn',
  'tokens.expiresAt',
  'tokens.createdAt',
  'tokens.createdById',
] as const

/** Stores a new token by its hash. */
export async function insertToken(tx: Transaction, token: NewToken): Promise<TokenRow> {
  const args = {
    ...token,
    scopes: jsonText(token.scopes),
    expiresAt: tokenExpiry(token.expiresOn),
  }
  const row = await tx.first('tokens.insert', args, (db, $) =>
    db
      .insertInto('tokens')
      .values({
        userId: $('userId'),
        kind: $('kind'),
        name: $('name'),
        tokenHash: $('tokenHash'),
        scopes: $('scopes'),
        expiresOn: $('expiresOn'),
        expiresAt: $('expiresAt'),
        createdById: $('createdById'),
        createdAt: $('createdAt'),
      })
      .returning(tokenColumns),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** A token with its user. */
export type TokenOwnerRow = CallerRow & {
  tokenKind: TokenKind
  scopes: string
  /** Also if all tokens of the same OAuth grant were revoked, or its application is being deleted. */
  revoked: 0 | 1
  expiresAt: number | null
}

/** The look-up of every request with a token: one row by the unique index on the hash. */
export function findTokenOwner(q: Queries, tokenHash: string): Promise<TokenOwnerRow | undefined> {
  return q.first('tokens.owner', { tokenHash }, (db, $) =>
    db
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.userId')
      .leftJoin('oauthGrants', 'oauthGrants.id', 'tokens.oauthGrantId')
      .leftJoin('oauthApplications', 'oauthApplications.id', 'oauthGrants.applicationId')
      .select(callerColumns)
      .select(['tokens.kind as tokenKind', 'tokens.scopes', 'tokens.expiresAt'])
      .select((eb) =>
        eb
          .case()
          .when('tokens.revoked', '=', 1)
          .then(1 as const)
          .when('oauthGrants.revokedAt', 'is not', null)
          .then(1 as const)
          .when('oauthApplications.deletedAt', 'is not', null)
          .then(1 as const)
          .else(0 as const)
          .end()
          .as('revoked'),
      )
      .where('tokens.tokenHash', '=', $('tokenHash'))
      .where('users.kind', '=', 'human'),
  )
}

interface TokensOf {
  userId: number
  kind: TokenKind
}

export type TokenState = 'all' | 'active' | 'inactive'

/**
 * Lists a page of a user's tokens of one kind, oldest first. `now` (milliseconds) decides which are
 * active.
 */
export function listTokens(
  q: Queries,
  filter: TokensOf & { state: TokenState; now: number },
  request: PageRequest,
): Promise<Page<TokenRow>> {
  const { state, ...args } = filter
  return listUncached(q, request, {
    shape: `tokens.list|${state}`,
    args,
    key: 'tokens.id',
    from: (db, $) =>
      db
        .selectFrom('tokens')
        .where('tokens.userId', '=', $('userId'))
        .where('tokens.kind', '=', $('kind'))
        .$if(state !== 'all', (query) => query.where((eb) => inState(eb, state, $))),
    order: (query) => query.orderBy('tokens.id'),
    columns: (query) => query.select(tokenColumns),
  })
}

type Builder = ExpressionBuilder<Schema, 'tokens'>

function inState(eb: Builder, state: TokenState, $: Param<{ now: number }>) {
  if (state === 'inactive') {
    return eb.or([eb('tokens.revoked', '=', 1), eb('tokens.expiresAt', '<=', $('now'))])
  }
  return eb.and([
    eb('tokens.revoked', '=', 0),
    eb.or([eb('tokens.expiresAt', 'is', null), eb('tokens.expiresAt', '>', $('now'))]),
  ])
}

/** A token of a user, by kind and id. */
export function findToken(
  q: Queries,
  args: TokensOf & { id: number },
): Promise<TokenRow | undefined> {
  return q.first('tokens.find', args, (db, $) =>
    db
      .selectFrom('tokens')
      .select(tokenColumns)
      .where('tokens.id', '=', $('id'))
      .where('tokens.userId', '=', $('userId'))
      .where('tokens.kind', '=', $('kind')),
  )
}

/** Revokes a token; returns whether it existed. */
export async function revokeToken(q: Queries, args: TokensOf & { id: number }): Promise<boolean> {
  const { changes } = await q.run('tokens.revoke', args, (db, $) =>
    db
      .updateTable('tokens')
      .set({ revoked: 1 })
      .where('id', '=', $('id'))
      .where('userId', '=', $('userId'))
      .where('kind', '=', $('kind')),
  )
  return changes > 0
}

/** Deletes a token by its hash, whoever owns it. */
export async function deleteTokenByHash(tx: Transaction, tokenHash: string): Promise<void> {
  await tx.run('tokens.delete', { tokenHash }, (db, $) =>
    db.deleteFrom('tokens').where('tokenHash', '=', $('tokenHash')),
  )
}
