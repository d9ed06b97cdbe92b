import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { collectErrors } from '../namespaces/path.rules.ts'
import { readScopes } from './oauth-scope.rules.ts'
import { maxRedirectUris, redirectUriError } from './redirect-uri.rules.ts'

/** Maximum number of applications of the instance itself: their list has no pages. */
export const maxApplications = 1000

/** Maximum number of applications of a user: their page lists them all. */
export const maxOwnedApplications = 100

/** Values of an application. */
export interface ApplicationValues {
  name: string
  redirectUris: readonly string[]
  /** Separated by spaces. */
  scopes: string
  /** Whether a user has registered it; those of the instance need no scopes. */
  owned: boolean
}

/** Validates an application; returns errors by field, or undefined. */
export function applicationErrors({
  name,
  redirectUris,
  scopes,
  owned,
}: ApplicationValues): FieldErrors | undefined {
  return collectErrors({
    name: nameTexts(name),
    redirect_uri: redirectUriTexts(redirectUris),
    scopes: scopeTexts(scopes, owned),
  })
}

function scopeTexts(text: string, owned: boolean): string[] {
  const scopes = readScopes(text)
  if (scopes === undefined) return ["doesn't match configured on the server."]
  return owned && scopes.length === 0 ? ["can't be blank"] : []
}

function nameTexts(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"]
  if (isLongerThan(name, maxNameLength)) return [tooLong(maxNameLength)]
  return /\p{Cc}/u.test(name) ? ['is invalid'] : []
}

function redirectUriTexts(uris: readonly string[]): string[] {
  if (uris.length === 0) return ["can't be blank"]
  if (uris.length > maxRedirectUris) return [`has too many URIs (maximum is ${maxRedirectUris})`]
  return [...new Set(uris.flatMap((uri) => redirectUriError(uri) ?? []))]
}
