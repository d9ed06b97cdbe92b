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

/** What the order of branches depends on. */
export interface OrderedBranch {
  name: string
  /** Seconds since the epoch, of the newest commit. */
  committedAt: number
}

/** Compares two branches; the name is the last key, so that pages never overlap. */
export function compareBranches(order: BranchOrder, a: OrderedBranch, b: OrderedBranch): number {
  const byDate = a.committedAt - b.committedAt
  if (order === 'updated_desc' && byDate !== 0) return -byDate
  if (order === 'updated_asc' && byDate !== 0) return byDate
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/** What protects a branch, as it is shown beside it (document 1, Branch). */
export interface BranchProtection {
  protected: boolean
  developersCanPush: boolean
  developersCanMerge: boolean
}

/** A branch that no rule protects: whoever may push code may push to it. */
export const unprotected: BranchProtection = {
  protected: false,
  developersCanPush: false,
  developersCanMerge: false,
}
