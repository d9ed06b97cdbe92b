import { DomainError, forbidden, isTokenActive, tokenScopes } from '@stithy/core'
import { type CallerRow, findCaller, findTokenOwner, fromJsonText } from '@stithy/store'
import type { App } from '../app.ts'
import { type CallerUser, callerUser } from './caller.ts'
import { isNameLike } from './name-like.ts'
import { hashSecret, sameSecret } from './secret.ts'
import { findSession } from './session.ts'

/** Who calls, and what the token lets them do. */
export interface AuthenticatedToken {
  user: CallerUser
  scopes: readonly string[]
}

/** The user and the scopes of a token, with the kind of it. One query. */
export async function authenticateToken(
  app: App,
  token: string,
): Promise<AuthenticatedToken & { kind: 'personal' | 'impersonation' | 'oauth' }> {
  const row = await findTokenOwner(app.db, hashSecret(token))
  if (row === undefined) throw new DomainError('unauthorized')
  const { expiresAt, scopes, tokenKind: kind } = row
  if (!isTokenActive({ revoked: row.revoked === 1, expiresAt }, app.now())) {
    throw new DomainError('invalid_token')
  }
  assertNotBlocked(row)
  return { user: callerUser(row), scopes: fromJsonText<string[]>(scopes), kind }
}

/** @throws DomainError `forbidden` for a blocked user (catalogue: users, Block). */
function assertNotBlocked(row: Pick<CallerRow, 'state'>): void {
  if (row.state === 'blocked') throw forbidden('Your account has been blocked.')
}

/**
 * The user of a session cookie. Unsafe methods must bring the session's CSRF token; `csrf` is undefined
 * for safe ones. Whoever has to choose a new password first is not let in either.
 */
export async function authenticateSession(
  app: App,
  cookie: string,
  csrf: string | undefined,
): Promise<AuthenticatedToken | undefined> {
  const session = await findSession(app, cookie)
  if (session === undefined || session.user.mustChangePassword) return undefined
  if (csrf !== undefined && !sameSecret(csrf, session.csrfToken)) return undefined
  return { user: session.user, scopes: tokenScopes }
}

/** The user to act as (document 1, Authentication 4), by id or username. */
export async function findSudoUser(app: App, nameOrId: string): Promise<CallerUser | undefined> {
  if (!isNameLike(nameOrId)) return undefined
  const isId = /^\d{1,15}$/.test(nameOrId)
  const key = isId ? { id: Number(nameOrId) } : { usernameLower: nameOrId.toLowerCase() }
  const row = await findCaller(app.db, key)
  if (row === undefined) return undefined
  assertNotBlocked(row)
  return callerUser(row)
}
