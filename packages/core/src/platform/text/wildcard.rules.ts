/**
 * Compiles a pattern for names of branches, tags or domains: `*` matches any characters, including
 * slashes; everything else matches literally, case-sensitive. Matching takes linear time.
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
    // The earliest match of each piece leaves the most room for the following ones.
    for (const piece of rest) {
      const found = name.indexOf(piece, at)
      if (found < 0 || found + piece.length > end) return false
      at = found + piece.length
    }
    return true
  }
}
