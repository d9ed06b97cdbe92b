import { createRecentCache } from './recent-cache.ts'

interface RememberedCount {
  total: number
  /** The stamps that the count was taken at. */
  version: string
  /** Instant, milliseconds. */
  countedAt: number
}

/** Counts of lists that this process took before; see `countRows`. */
export interface CountMemory {
  /** A count taken at this version of its stamps, or a large one that is fresh enough. */
  find(key: string, version: string): number | undefined
  keep(key: string, version: string, total: number): void
}

/** Above this many rows a remembered count may be old. */
const exactUpTo = 10_000
/** How old, in milliseconds. */
const mayBeOld = 60_000

/** `now` answers milliseconds since the epoch. */
export function createCountMemory(now: () => number, capacity = 5000): CountMemory {
  const counts = createRecentCache<RememberedCount>(capacity)
  return {
    find(key, version) {
      const known = counts.get(key)
      if (known === undefined) return undefined
      if (known.version === version) return known.total
      const fresh = known.total > exactUpTo && now() - known.countedAt < mayBeOld
      return fresh ? known.total : undefined
    },
    keep(key, version, total) {
      counts.set(key, { total, version, countedAt: now() })
    },
  }
}
