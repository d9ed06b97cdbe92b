import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { collectErrors } from '../namespaces/path.rules.ts'
import { readScopes } from './oauth-scope.rules.ts'
import { maxRedirectUris, redirectUriError } from './redirect-uri.rules.ts'

/** Maximum number of applications of an instance: their list has no pages. */
export const maxApplications = 1000

/** Values of a new application. */
export interface ApplicationValues {
  name: string
  redirectUris: readonly string[]
  /** Separated by spaces. */
  scopes: string
}

/** Validates a new application; returns errors by field, or undefined. */
export function applicationErrors({
  name,
  redirectUris,
  scopes,
}: ApplicationValues): FieldErrors | undefined {
  return collectErrors({
    name: nameTexts(name),
    redirect_uri: redirectUriTexts(redirectUris),
    scopes: readScopes(scopes) === undefined ? ["doesn't match configured on the server."] : [],
  })
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
