/**
 * Compares the length in code points, of which each takes one or two UTF-16 units. No text is never
 * too long.
 */
export function isLongerThan(text: string | null | undefined, limit: number): boolean {
  if (text === undefined || text === null) return false
  if (text.length <= limit || text.length > 2 * limit) return text.length > limit
  let characters = text.length
  for (let at = 0; at < text.length; at += 1) {
    if ((text.codePointAt(at) ?? 0) > 0xffff) characters -= 1
  }
  return characters > limit
}

/** What is wrong with a text of more than `maximum` characters, as v4 clients know it. */
export function tooLong(maximum: number): string {
  return `is too long (maximum is ${maximum} characters)`
}
