import { DomainError, forbidden, isTokenActive, tokenScopes } from '@stithy/core'
import { type CallerRow, findCaller, findTokenOwner, fromJsonText } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import { callerUser } from './caller-user.ts'
import { isCsrfToken } from './csrf-token.ts'
import { isWellFormedLogin } from './login-format.ts'
import { hashSecret } from './secret.ts'
import type { Session } from './session.ts'
import { twoFactorPagePath } from './two-factor-requirement.ts'

/** The user and scopes that a token stands for. */
export interface AuthenticatedToken {
  user: CallerUser
  scopes: readonly string[]
}

/** Looks up a token with its kind, scopes and user. One query. */
export async function authenticateToken(
  app: App,
  token: string,
): Promise<AuthenticatedToken & { kind: 'personal' | 'impersonation' | 'oauth' }> {
  const row = await findTokenOwner(app.db, hashSecret(token))
  if (row === undefined) throw new DomainError('unauthorized')
  const { revoked, expiresAt, scopes, tokenKind: kind } = row
  if (!isTokenActive({ revoked: revoked === 1, expiresAt }, app.now())) {
    throw new DomainError('invalid_token')
  }
  assertNotBlocked(row)
  return { user: callerUser(row), scopes: fromJsonText<string[]>(scopes), kind }
}

/** @throws DomainError `forbidden` for a blocked user. */
function assertNotBlocked(row: Pick<CallerRow, 'state'>): void {
  if (row.state === 'blocked') throw forbidden('Your account has been blocked.')
}

/**
 * Lets the user of a session call the API. Unsafe methods must send the session's CSRF token; `csrf`
 * is undefined for safe methods. A user who must change their password first is rejected as well.
 * @throws DomainError `forbidden` for a user who lacks required two-factor authentication, after
 *   the grace period.
 */
export function acceptSession(
  app: App,
  session: Session,
  csrf: string | undefined,
): AuthenticatedToken | undefined {
  if (session.user.mustChangePassword) return undefined
  if (csrf !== undefined && !isCsrfToken(csrf, session.csrfToken)) return undefined
  if (session.isTwoFactorOverdue) {
    const page = `${app.config.externalUrl}${twoFactorPagePath}`
    throw forbidden(`Set up two-factor authentication first: ${page}`)
  }
  return { user: session.user, scopes: tokenScopes }
}

/** Finds the user that `sudo` names, by id or username. */
export async function findSudoUser(app: App, nameOrId: string): Promise<CallerUser | undefined> {
  if (!isWellFormedLogin(nameOrId)) return undefined
  const isId = /^\d{1,15}$/.test(nameOrId)
  const key = isId ? { id: Number(nameOrId) } : { usernameLower: nameOrId.toLowerCase() }
  const row = await findCaller(app.db, key)
  if (row === undefined) return undefined
  assertNotBlocked(row)
  return callerUser(row)
}
