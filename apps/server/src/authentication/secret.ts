import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new random secret of 27 characters from `A-Z a-z 0-9 - _`; it never starts with `-`. */
export function newSecret(): string {
  const secret = randomBytes(20).toString('base64url')
  // A leading dash would be taken for an option on command lines.
  return secret.startsWith('-') ? newSecret() : secret
}

/**
 * What is kept of a secret. A fast hash is enough: the secrets have 160 random bits, so that there is
 * nothing to guess. Those that an operator chooses have 20 characters at least.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** Compares in a time that tells nothing of where two secrets differ. */
export function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}
