import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { collectErrors } from '../namespaces/path.rules.ts'

/** Three times the length of the longest public key in use. */
export const maxKeyLength = 5000

const lineBreak = /[\r\n]/

/** Validates the title of a key; returns errors by field, or undefined. */
export function keyTitleErrors(title: string): FieldErrors | undefined {
  return collectErrors({ title: titleTexts(title) })
}

function titleTexts(title: string): string[] {
  if (title.trim() === '') return ["can't be blank"]
  if (isLongerThan(title, maxNameLength)) return [tooLong(maxNameLength)]
  return /\p{Cc}/u.test(title) ? ['is invalid'] : []
}

/**
 * Normalizes a public key to one line with single spaces between type, base64 and comment.
 * Undefined for a text that is too long or has several lines, such as several keys or a private
 * key.
 */
export function publicKeyLine(text: string): string | undefined {
  const line = text.trim()
  if (line.length > maxKeyLength || lineBreak.test(line)) return undefined
  return line.replace(/[ \t]+/g, ' ')
}

/** Types of SSH keys, by the settings `<type>_key_restriction`. */
export const sshKeyTypes = ['rsa', 'dsa', 'ecdsa', 'ed25519'] as const
export type SshKeyType = (typeof sshKeyTypes)[number]

/** Minimum sizes in bits by type: 0 for any, -1 forbids the type. */
export type SshKeyRestrictions = Readonly<Record<SshKeyType, number>>

const forbidden = -1

/** Errors of a key whose type is forbidden or whose size, in bits, is too small; empty if neither. */
export function keyRestrictionErrors(
  { type, bits }: { type: SshKeyType; bits: number },
  restrictions: SshKeyRestrictions,
): string[] {
  const minimum = restrictions[type]
  if (minimum === forbidden) return [forbiddenTypeText(restrictions)]
  return bits < minimum ? [`must be at least ${minimum} bits`] : []
}

function forbiddenTypeText(restrictions: SshKeyRestrictions): string {
  const allowed = sshKeyTypes
    .filter((type) => restrictions[type] !== forbidden)
    .map((type) => type.toUpperCase())
  if (allowed.length === 0) return 'type is forbidden'
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(allowed)
  return `type is forbidden. Must be ${list}`
}

const md5Pattern = /^(?:MD5:)?([0-9a-f]{2}(?::[0-9a-f]{2}){15})$/i
const sha256Pattern = /^SHA256:([A-Za-z0-9+/]{43})=?$/

/** A fingerprint as it is stored. */
export type KeyFingerprint = { sha256: string } | { md5: string }

/**
 * Parses a fingerprint as OpenSSH shows it: `SHA256:…`, or `MD5:aa:bb…` with or without the prefix.
 * Undefined for any other text.
 */
export function parseFingerprint(text: string): KeyFingerprint | undefined {
  // An unescaped `+` in a query string arrives as a space.
  const [, base64] = sha256Pattern.exec(text.trim().replaceAll(' ', '+')) ?? []
  if (base64 !== undefined) return { sha256: `SHA256:${base64}` }
  const [, hex] = md5Pattern.exec(text.trim()) ?? []
  return hex === undefined ? undefined : { md5: hex.toLowerCase() }
}
