import { collectErrors } from '../../directory/namespaces/path.rules.ts'
import { maxNameLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'

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
