import { hash } from 'node:crypto'
import { secretsMatch } from '../authentication/secret.ts'

export const challengeMethods = ['S256', 'plain'] as const
export type ChallengeMethod = (typeof challengeMethods)[number]

/** The proof that who redeems a code has asked for it (RFC 7636). */
export interface Challenge {
  value: string
  method: ChallengeMethod
}

/** The form of verifiers and challenges: RFC 7636, sections 4.1 and 4.2. */
const pattern = /^[A-Za-z0-9._~-]{43,128}$/

/** Whether a text has the form of a `code_challenge`. */
export function isChallenge(text: string): boolean {
  return pattern.test(text)
}

/** Whether a `code_verifier` belongs to a challenge, in constant time. */
export function verifies(verifier: string, { value, method }: Challenge): boolean {
  if (!pattern.test(verifier)) return false
  const derived = method === 'plain' ? verifier : hash('sha256', verifier, 'base64url')
  return secretsMatch(derived, value)
}
