/**
 * Whether a branch or tag name is found by a search term (document 2, Branches): `^term` begins with
 * it, `term$` ends with it, `^term$` is it, anything else contains it; case does not count.
 */
export function nameMatcher(search: string): (name: string) => boolean {
  const fromStart = search.startsWith('^')
  const toEnd = search.length > 1 && search.endsWith('$')
  const term = search.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined).toLowerCase()
  if (fromStart && toEnd) return (name) => name.toLowerCase() === term
  if (fromStart) return (name) => name.toLowerCase().startsWith(term)
  if (toEnd) return (name) => name.toLowerCase().endsWith(term)
  return (name) => name.toLowerCase().includes(term)
}

/** How branches may be ordered. */
export type BranchOrder = 'name' | 'updated_desc' | 'updated_asc'
