import { LRUCache } from 'lru-cache'

interface CachedCount {
  total: number
  /** The versions of the stamps when the count was taken. */
  version: string
  /** Timestamp, milliseconds. */
  countedAt: number
}

/** The cached counts of this process; see `countRows`. */
export interface CountCache {
  /** A count taken at this version of its stamps, or a large one that is recent enough. */
  find(key: string, version: string): number | undefined
  set(key: string, version: string, total: number): void
}

/** Above this many rows a cached count may be stale. */
const exactLimit = 10_000
/** The maximum age of a stale count, in milliseconds. */
const maxStaleMs = 60_000

/** Creates the cache; `now` returns milliseconds since the epoch. */
export function createCountCache(now: () => number, capacity = 5000): CountCache {
  const counts = new LRUCache<string, CachedCount>({ max: capacity })
  return {
    find(key, version) {
      const known = counts.get(key)
      if (known === undefined) return undefined
      if (known.version === version) return known.total
      const fresh = known.total > exactLimit && now() - known.countedAt < maxStaleMs
      return fresh ? known.total : undefined
    },
    set(key, version, total) {
      counts.set(key, { total, version, countedAt: now() })
    },
  }
}
