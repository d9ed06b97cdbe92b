import {
  type AccessTokenRow,
  findAccessToken,
  findRefreshToken,
  fromJsonText,
  revokeGrant,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { hashSecret } from '../authentication/secret.ts'
import type { Client } from './client-authentication.ts'
import { invalidToken, OAuthError } from './oauth-error.ts'
import { isUsable } from './refresh-grant.service.ts'

/** An access token that works: with an application or a user, or both. */
export type ActiveToken = Omit<AccessTokenRow, 'scopes' | 'expiresAt'> & {
  scopes: readonly string[]
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/** Finds an access token; undefined if it is unknown, expired, revoked, or of a blocked user. */
async function findActiveToken(app: App, token: string): Promise<ActiveToken | undefined> {
  const row = await findAccessToken(app.db, hashSecret(token))
  if (row === undefined || row.expiresAt === null || row.expiresAt <= app.now()) return undefined
  if (row.revoked === 1 || row.grantRevokedAt !== null) return undefined
  if (row.applicationDeletedAt !== null) return undefined
  if (row.userId !== null && row.userState !== 'active') return undefined
  return { ...row, scopes: fromJsonText<string[]>(row.scopes), expiresAt: row.expiresAt }
}

/** Like `findActiveToken`. @throws OAuthError `invalid_token` */
export async function requireActiveToken(
  app: App,
  token: string | undefined,
): Promise<ActiveToken> {
  const found = token === undefined ? undefined : await findActiveToken(app, token)
  if (found === undefined) throw invalidToken()
  return found
}

/**
 * Revokes an access or refresh token with the others of its grant; an unknown one is no error (RFC
 * 7009, section 2).
 * @throws OAuthError `unauthorized_client` for a token of another client
 */
export async function revokeByToken(
  app: App,
  client: Client | undefined,
  token: string,
): Promise<void> {
  const tokenHash = hashSecret(token)
  const found =
    (await findAccessToken(app.db, tokenHash)) ?? (await findRefreshToken(app.db, tokenHash))
  if (found === undefined) return
  if (found.applicationId !== (client?.id ?? null)) {
    throw new OAuthError('unauthorized_client', 'The token was issued to another client.')
  }
  await revokeGrant(app.db, { id: found.grantId, now: app.now() })
}

/** An answer of the introspection endpoint (RFC 7662, section 2.2); timestamps in seconds. */
export interface Introspection {
  active: boolean
  scope?: string
  client_id?: string
  username?: string
  token_type?: 'bearer' | 'refresh_token'
  exp?: number
  iat?: number
  /** Id of the user, or the `client_id` of an application that acts on its own behalf. */
  sub?: string
  iss?: string
}

/** Describes a token of a client; others, and those that don't work, are inactive. */
export async function introspect(app: App, client: Client, token: string): Promise<Introspection> {
  const row = (await findActiveToken(app, token)) ?? (await findUsable(app, token))
  if (row === undefined || row.applicationId !== client.id) return { active: false }
  return {
    active: true,
    scope: row.scopes.join(' '),
    client_id: client.uid,
    ...(row.username === null ? {} : { username: row.username }),
    token_type: 'usedAt' in row ? 'refresh_token' : 'bearer',
    exp: Math.floor(row.expiresAt / 1000),
    iat: Math.floor(row.createdAt / 1000),
    sub: row.userId === null ? client.uid : String(row.userId),
    iss: app.config.externalUrl,
  }
}

/** Finds a refresh token that works. */
async function findUsable(app: App, token: string) {
  const row = await findRefreshToken(app.db, hashSecret(token))
  if (row === undefined || row.usedAt !== null || !isUsable(row, app.now())) return undefined
  return { ...row, scopes: fromJsonText<string[]>(row.scopes) }
}
