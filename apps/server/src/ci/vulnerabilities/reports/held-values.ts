/** The most that a parser may hold of a report at a time. */
const limits = {
  /** One vulnerability or remediation: the characters of its texts, and 16 for each of its tokens. */
  element: 8 * 1024 * 1024,
  /** A text or a number that is not at its end, in bytes. */
  token: 4 * 1024 * 1024,
  /** Lists and objects in each other. */
  depth: 100,
}
const perToken = 16

/**
 * Watches what a parser holds. Larger values are refused before they are there: a thread that needs a
 * large block of memory beyond its limit ends the whole process.
 */
export function watchHeld() {
  let [element, sinceToken] = [0, 0]
  return {
    /** Bytes are read, whether or not a token ends in them. @throws Error */
    read(bytes: number): void {
      sinceToken += bytes
      if (sinceToken > limits.token) throw new Error('a text is too large')
    },
    /** A token has ended, in an element or elsewhere. @throws Error */
    see(value: unknown, { depth, isElement }: { depth: number; isElement: boolean }): void {
      sinceToken = 0
      const cost = perToken + (typeof value === 'string' ? value.length : 0)
      element = isElement ? element + cost : 0
      if (element > limits.element) throw new Error('an element is too large')
      if (depth > limits.depth) throw new Error('there are too many levels')
    },
  }
}
