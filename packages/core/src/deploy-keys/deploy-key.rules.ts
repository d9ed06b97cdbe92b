import type { FieldErrors } from '../errors.ts'
import { collectErrors, maxNameLength } from '../namespaces/path.rules.ts'

/** The longest public key that is in use has a third of this. */
const maxKeyLength = 5000

const lineBreak = /[\r\n]/

/** What is wrong with the title of a key, by field; undefined when nothing is. */
export function keyTitleErrors(title: string): FieldErrors | undefined {
  return collectErrors({ title: titleTexts(title) })
}

function titleTexts(title: string): string[] {
  if (title.trim() === '') return ["can't be blank"]
  if (title.length > maxNameLength) return [`is too long (maximum is ${maxNameLength} characters)`]
  return /\p{Cc}/u.test(title) ? ['is invalid'] : []
}

/**
 * The one line of a public key with single spaces between its parts: type, base64, comment. Undefined for
 * what is too long or has more lines, as several keys and private keys do.
 */
export function publicKeyLine(text: string): string | undefined {
  const line = text.trim()
  if (line.length > maxKeyLength || lineBreak.test(line)) return undefined
  return line.replace(/[ \t]+/g, ' ')
}
