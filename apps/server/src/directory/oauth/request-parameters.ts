import { invalidRequest } from './oauth-error.ts'

/** The texts of a request by name; undefined for those that are absent or empty. */
export type Parameters = (name: string) => string | undefined

/** The longest value of a parameter, in characters. */
const maxLength = 4096

/**
 * Reads parameters that may be in a request once each (RFC 6749, sections 3.1 and 3.2): an empty
 * one counts as absent, others than texts are refused.
 * @throws OAuthError `invalid_request`
 */
export function readParameters(values: unknown): Parameters {
  if (values !== undefined && (typeof values !== 'object' || values === null)) {
    throw invalidRequest('The body must have named parameters.')
  }
  const map = new Map<string, unknown>(Object.entries(values ?? {}))
  return (name) => {
    const value = map.get(name)
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value !== 'string') throw invalidRequest(`The parameter ${name} must be a text.`)
    if (value.length > maxLength) throw invalidRequest(`The parameter ${name} is too long.`)
    return value
  }
}

/** Like `parameters`, for one that must be there. @throws OAuthError `invalid_request` */
export function requiredParameter(parameters: Parameters, name: string): string {
  const value = parameters(name)
  if (value === undefined) throw invalidRequest(`The parameter ${name} is missing.`)
  return value
}

/** A name that is in a query or form more than once; undefined if there is none. */
export function repeatedName(text: string): string | undefined {
  const names = new Set<string>()
  for (const name of new URLSearchParams(text).keys()) {
    if (names.has(name)) return name
    names.add(name)
  }
  return undefined
}
