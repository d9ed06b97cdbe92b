import { LRUCache } from 'lru-cache'

/** The length of a list, and what was learnt about reading it. */
export interface Counted {
  readonly total: number
  /** How long the count took, in milliseconds, waiting included. */
  readonly ms: number
  /** By the shape of a page query: up to which row of the list a page was read quickly. */
  readonly quickUntil: Map<string, number>
}

interface CachedCount extends Counted {
  /** The versions of the stamps when the count was taken. */
  version: string
  /** Timestamp, milliseconds. */
  countedAt: number
}

/** The cached counts of this process; see `countRows`. */
export interface CountCache {
  /**
   * A count taken at this version of its stamps, or a large one that is recent enough; else takes
   * it. Those who ask for the same count meanwhile wait for the same.
   */
  count(key: string, version: string, take: () => Promise<number>): Promise<Counted>
}

/** Above this many rows a cached count may be stale. */
export const exactLimit = 10_000
/** The maximum age of a stale count, in milliseconds. */
const maxStaleMs = 60_000
/** A stale count of this age is taken again, while the old one is still served. */
const refreshMs = 30_000

/** Creates the cache; `now` returns milliseconds since the epoch. */
export function createCountCache(now: () => number, capacity = 5000): CountCache {
  const counts = new LRUCache<string, CachedCount>({ max: capacity })
  const running = new Map<string, Promise<CachedCount>>()

  function age({ countedAt }: CachedCount): number {
    return now() - countedAt
  }

  function isUsable(count: CachedCount, version: string): boolean {
    return count.version === version || (count.total > exactLimit && age(count) < maxStaleMs)
  }

  async function take(key: string, version: string, query: () => Promise<number>) {
    const [countedAt, started] = [now(), performance.now()]
    const total = await query()
    const ms = performance.now() - started
    const quickUntil = counts.get(key)?.quickUntil ?? new Map()
    const count: CachedCount = { total, ms, quickUntil, version, countedAt }
    counts.set(key, count)
    return count
  }

  function start(key: string, version: string, query: () => Promise<number>) {
    const taking = take(key, version, query).finally(() => running.delete(key))
    running.set(key, taking)
    return taking
  }

  return {
    async count(key, version, query) {
      const known = counts.get(key)
      if (known !== undefined && isUsable(known, version)) {
        const isOld = known.version !== version && age(known) >= refreshMs
        // Who reads it once it is too old takes it again, and gets the error if it fails again.
        if (isOld && !running.has(key)) start(key, version, query).catch(() => {})
        return known
      }
      for (let other = running.get(key); other !== undefined; other = running.get(key)) {
        const count = await other
        if (isUsable(count, version)) return count
      }
      return start(key, version, query)
    },
  }
}
