import { collectErrors } from '../../directory/namespaces/path.rules.ts'
import { pastExpiryTexts } from '../../directory/tokens/token.rules.ts'
import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'

/** Values of a new deploy token. */
export interface DeployTokenValues {
  name: string
  /** Null for the default, which derives from the id. */
  username: string | null
  scopes: readonly string[]
  /** Milliseconds since the epoch; null for never. */
  expiresAt: number | null
}

const usernamePattern = /^[A-Za-z0-9.+_-]+$/

/**
 * Validates a deploy token that is created at `now`, in milliseconds; returns errors by field, or
 * undefined.
 */
export function deployTokenErrors(
  { name, username, scopes, expiresAt }: DeployTokenValues,
  now: number,
): FieldErrors | undefined {
  return collectErrors({
    name: nameTexts(name),
    username: username === null ? [] : usernameTexts(username),
    scopes: scopes.length === 0 ? ["can't be blank"] : [],
    expires_at: pastExpiryTexts(expiresAt, now),
  })
}

function nameTexts(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"]
  if (isLongerThan(name, maxNameLength)) return [tooLong(maxNameLength)]
  return /\p{Cc}/u.test(name) ? ['is invalid'] : []
}

function usernameTexts(username: string): string[] {
  if (isLongerThan(username, maxNameLength)) return [tooLong(maxNameLength)]
  return usernamePattern.test(username)
    ? []
    : ["can contain only letters, digits, '_', '-', '+', and '.'"]
}

/** The user name to authenticate with. */
export function deployTokenUsername(token: { id: number; username: string | null }): string {
  return token.username ?? `deploy-token-${token.id}`
}
