/**
 * Compiles a search term for names of branches or tags: `^term` matches a prefix, `term$` a suffix,
 * `^term$` the whole name, anything else a substring; case-insensitive.
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

/** Sort orders of branches. */
export type BranchOrder = 'name' | 'updated_desc' | 'updated_asc'
