import { tokenScopes } from '../access/scope.ts'
import { isDate } from '../contract/date-fields.ts'
import type { FieldErrors } from '../errors.ts'
import { collectErrors, maxNameLength } from '../namespaces/path.rules.ts'

/** What a new token is to be. */
export interface TokenValues {
  name: string
  scopes: readonly string[]
  /** The day that it ends on, `YYYY-MM-DD`; null for never. */
  expiresOn: string | null
}

/**
 * What is wrong with the values of a token that is made at `now`, in milliseconds, by field; undefined
 * when nothing is.
 */
export function tokenErrors(
  { name, scopes, expiresOn }: TokenValues,
  now: number,
): FieldErrors | undefined {
  return collectErrors({
    name: nameTexts(name),
    scopes: scopeTexts(scopes),
    expires_at: expiryTexts(expiresOn, now),
  })
}

/** A token that has ended before it begins is a mistake. */
function expiryTexts(expiresOn: string | null, now: number): string[] {
  if (expiresOn === null) return []
  if (!isDate(expiresOn)) return ['is invalid']
  const token = { revoked: false, expiresAt: tokenExpiry(expiresOn) }
  return isTokenActive(token, now) ? [] : ['must be in the future']
}

function nameTexts(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"]
  if (name.length > maxNameLength) return [`is too long (maximum is ${maxNameLength} characters)`]
  return /\p{Cc}/u.test(name) ? ['is invalid'] : []
}

function scopeTexts(scopes: readonly string[]): string[] {
  if (scopes.length === 0) return ["can't be blank"]
  const known: readonly string[] = tokenScopes
  return scopes.every((scope) => known.includes(scope)) ? [] : ['can only contain available scopes']
}

/** The instant at which a token ends: 00:00 UTC of its day (catalogue: users), in milliseconds. */
export function tokenExpiry(expiresOn: string | null): number | null {
  return expiresOn === null ? null : Date.parse(`${expiresOn}T00:00:00Z`)
}

/** Whether a token may still be used at `now`, in milliseconds. */
export function isTokenActive(
  token: { revoked: boolean; expiresAt: number | null },
  now: number,
): boolean {
  return !token.revoked && (token.expiresAt === null || now < token.expiresAt)
}
