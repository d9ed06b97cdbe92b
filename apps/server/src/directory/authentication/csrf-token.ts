import { randomBytes } from 'node:crypto'
import { secretsMatch } from './secret.ts'

/** Longer than a masked token: whatever is longer is none. */
const maxLength = 200

/**
 * A text that stands for a session's token and is another one each time: with the same one in every compressed page,
 * their lengths would reveal it to whoever can add texts to them (BREACH, CVE-2013-3587).
 */
export function maskCsrfToken(token: string): string {
  const bytes = Buffer.from(token)
  const mask = randomBytes(bytes.length)
  return Buffer.concat([mask, xor(bytes, mask)]).toString('base64url')
}

/** Whether what a form or script has sent is the session's token, masked or not. */
export function isCsrfToken(sent: string, token: string): boolean {
  if (sent.length > maxLength) return false
  return secretsMatch(sent, token) || secretsMatch(unmask(sent), token)
}

function unmask(text: string): string {
  const bytes = Buffer.from(text, 'base64url')
  const half = bytes.length / 2
  return Number.isInteger(half) ? xor(bytes.subarray(half), bytes.subarray(0, half)).toString() : ''
}

function xor(bytes: Buffer, mask: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, index) => byte ^ (mask[index] ?? 0)))
}
