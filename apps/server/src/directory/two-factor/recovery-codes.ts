import { randomBytes } from 'node:crypto'
import { hashSecret } from '../authentication/secret.ts'

const count = 10

/** Ten new recovery codes of 80 random bits each: sixteen characters in two groups. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, newRecoveryCode)
}

/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz023456789'

function newRecoveryCode(): string {
  // 256 is a multiple of 32: every character is as likely.
  const characters = [...randomBytes(16)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return `${characters.slice(0, 8)}-${characters.slice(8)}`
}

/** The hash that is stored of a recovery code, however its letters and groups are written. */
export function hashRecoveryCode(code: string): string {
  return hashSecret(code.toLowerCase().replaceAll('-', '').replaceAll(' ', ''))
}
