import { isBranchOrTagName } from '../repositories/ref-name.rules.ts'

/**
 * Tells which names of branches or tags a pattern means: `*` stands for any run of characters, slashes
 * included; everything else, and case, counts as it is (catalogue: repository, 6).
 */
export function patternMatcher(pattern: string): (name: string) => boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return (name) => name === pattern
  return (name) => {
    if (name.length < first.length + last.length) return false
    if (!name.startsWith(first) || !name.endsWith(last)) return false
    const end = name.length - last.length
    let at = first.length
    // The earliest place for each piece leaves the most room for those that follow.
    for (const piece of rest) {
      const found = name.indexOf(piece, at)
      if (found < 0 || found + piece.length > end) return false
      at = found + piece.length
    }
    return true
  }
}

/** Whether a text is the name of a branch or tag, or becomes one when its wildcards are filled in. */
export function isRefPattern(text: string): boolean {
  return isBranchOrTagName(text.replaceAll('*', 'x'))
}
