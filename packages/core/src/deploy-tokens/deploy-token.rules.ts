import type { FieldErrors } from '../errors.ts'
import { collectErrors, maxNameLength } from '../namespaces/path.rules.ts'
import { isTokenActive } from '../tokens/token.rules.ts'

/** What a new deploy token is to be. */
export interface DeployTokenValues {
  name: string
  /** Null for the one that is made from the id. */
  username: string | null
  scopes: readonly string[]
  /** Milliseconds since the epoch; null for never. */
  expiresAt: number | null
}

const usernamePattern = /^[A-Za-z0-9.+_-]+$/
const dayMs = 86_400_000

/**
 * What is wrong with the values of a deploy token that is made at `now`, in milliseconds, by field
 * (catalogue: repository, 12); undefined when nothing is.
 */
export function deployTokenErrors(
  { name, username, scopes, expiresAt }: DeployTokenValues,
  now: number,
): FieldErrors | undefined {
  const active = isTokenActive({ revoked: false, expiresAt }, now)
  return collectErrors({
    name: nameTexts(name),
    username: username === null ? [] : usernameTexts(username),
    scopes: scopes.length === 0 ? ["can't be blank"] : [],
    expires_at: active ? [] : ['must be in the future'],
  })
}

function nameTexts(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"]
  if (name.length > maxNameLength) return [tooLong]
  return /\p{Cc}/u.test(name) ? ['is invalid'] : []
}

const tooLong = `is too long (maximum is ${maxNameLength} characters)`

function usernameTexts(username: string): string[] {
  if (username.length > maxNameLength) return [tooLong]
  return usernamePattern.test(username)
    ? []
    : ["can contain only letters, digits, '_', '-', '+', and '.'"]
}

/** The instant at which a deploy token ends that is asked to end at `instant`: 00:00 UTC of that day. */
export function deployTokenExpiry(instant: number): number {
  return Math.floor(instant / dayMs) * dayMs
}

/** The user name that goes with a deploy token. */
export function deployTokenUsername(token: { id: number; username: string | null }): string {
  return token.username ?? `deploy-token-${token.id}`
}
