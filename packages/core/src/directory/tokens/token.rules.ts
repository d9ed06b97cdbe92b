import { tokenScopes } from '../../platform/access/scope.ts'
import { isDate } from '../../platform/contract/date-fields.ts'
import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { collectErrors } from '../namespaces/path.rules.ts'

const dayMs = 86_400_000

/** Values of a new token. */
export interface TokenValues {
  name: string
  scopes: readonly string[]
  /** The day that it expires on, `YYYY-MM-DD`; null for never. */
  expiresOn: string | null
}

/**
 * Validates a token that is created at `now`, in milliseconds; returns errors by field, or
 * undefined.
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

function expiryTexts(expiresOn: string | null, now: number): string[] {
  if (expiresOn === null) return []
  return isDate(expiresOn) ? pastExpiryTexts(tokenExpiry(expiresOn), now) : ['is invalid']
}

/**
 * Errors for an expiry, in milliseconds, on a day before that of `now`, in UTC. Today is accepted,
 * although a token that expires today is expired from the start.
 */
export function pastExpiryTexts(expiresAt: number | null, now: number): string[] {
  if (expiresAt === null || expiresAt >= now - (now % dayMs)) return []
  return ['cannot be a date in the past']
}

function nameTexts(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"]
  if (isLongerThan(name, maxNameLength)) return [tooLong(maxNameLength)]
  return /\p{Cc}/u.test(name) ? ['is invalid'] : []
}

function scopeTexts(scopes: readonly string[]): string[] {
  if (scopes.length === 0) return ["can't be blank"]
  const known: readonly string[] = tokenScopes
  return scopes.every((scope) => known.includes(scope)) ? [] : ['can only contain available scopes']
}

/** The timestamp at which a token expires: 00:00 UTC of its day, in milliseconds. */
export function tokenExpiry(expiresOn: string | null): number | null {
  return expiresOn === null ? null : Date.parse(`${expiresOn}T00:00:00Z`)
}

/** Whether a token is valid at `now`, in milliseconds. */
export function isTokenActive(
  token: { revoked: boolean; expiresAt: number | null },
  now: number,
): boolean {
  return !token.revoked && (token.expiresAt === null || now < token.expiresAt)
}
