import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Generates a random secret from `A-Z a-z 0-9 - _`, 27 characters for the default of 20 bytes; it
 * never starts with `-`.
 */
export function newSecret(bytes = 20): string {
  const secret = randomBytes(bytes).toString('base64url')
  // A leading dash would be parsed as an option on command lines.
  return secret.startsWith('-') ? newSecret(bytes) : secret
}

/**
 * The hash that is stored of a secret. A fast hash is enough: generated secrets have at least
 * 160 random bits, so they can't be guessed, and those that an operator sets have at least 20 characters.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Compares two secrets in constant time. */
export function secretsMatch(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}
