import { tokenScopes } from '../../platform/access/scope.ts'

/**
 * Scopes of OAuth2 access tokens: those of personal access tokens, and what `/oauth/userinfo` shows
 * (OpenID Connect Core 1.0, section 5.4).
 */
export const oauthScopes = [...tokenScopes, 'profile', 'email'] as const

export type OAuthScope = (typeof oauthScopes)[number]

/** The scope of a request that names none. */
const defaultScope: OAuthScope = 'api'

/**
 * Reads a list separated by spaces (RFC 6749, section 3.3), each scope once; undefined if one of
 * them doesn't exist.
 */
export function readScopes(text: string): OAuthScope[] | undefined {
  const words = new Set(text.split(' ').filter((word) => word !== ''))
  const known = oauthScopes.filter((scope) => words.has(scope))
  return known.length === words.size ? known : undefined
}

/**
 * The scopes that an application may ask for; one that is registered without any, and a user who
 * sends a password without an application, may ask for all but `sudo`.
 */
export function allowedScopes(registered: readonly OAuthScope[]): readonly OAuthScope[] {
  return registered.length > 0 ? registered : oauthScopes.filter((scope) => scope !== 'sudo')
}

/**
 * The scopes of a request within those that are allowed; undefined if it names another one. Without
 * a scope it gets `api`, or else all that are allowed besides `sudo`, which must be asked for.
 */
export function requestedScopes(
  text: string,
  allowed: readonly OAuthScope[],
): readonly OAuthScope[] | undefined {
  const scopes = readScopes(text)
  if (scopes === undefined) return undefined
  if (scopes.length > 0)
    return scopes.every((scope) => allowed.includes(scope)) ? scopes : undefined
  if (allowed.includes(defaultScope)) return [defaultScope]
  const fallback = allowed.filter((scope) => scope !== 'sudo')
  return fallback.length > 0 ? fallback : undefined
}
