/** Pseudo-random numbers that are the same in every run. */
export interface Random {
  /** An integer from 0 (inclusive) to `below` (exclusive). */
  integer(below: number): number
  /** True in `share` of all calls, 0 to 1. */
  chance(share: number): boolean
  /** One of the entries. Throws if there are none. */
  pick<T>(entries: readonly T[]): T
}

/** A separate generator for each name, so that a new area of data doesn't change the others. */
export function createRandom(name: string): Random {
  let state = seedOf(name)
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const integer = (below: number): number => Math.floor(next() * below)
  return {
    integer,
    chance: (share) => next() < share,
    pick(entries) {
      const entry = entries[integer(entries.length)]
      if (entry === undefined) throw new RangeError('There is no entry to pick')
      return entry
    },
  }
}

/** FNV-1a. */
function seedOf(name: string): number {
  let hash = 0x811c9dc5
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return hash | 0
}
