/** A bounded map that forgets what was not used lately. */
export interface RecentCache<V> {
  get(key: string): V | undefined
  set(key: string, value: V): void
  readonly size: number
}

/**
 * Keeps between half of `capacity` and `capacity` entries. Two generations instead of an exact LRU:
 * a hit in the young one is a single look-up, which an exact order would double.
 */
export function createRecentCache<V>(capacity: number): RecentCache<V> {
  const half = Math.max(1, Math.floor(capacity / 2))
  let young = new Map<string, V>()
  let old = new Map<string, V>()

  function set(key: string, value: V): void {
    if (young.size >= half && !young.has(key)) {
      old = young
      young = new Map()
    }
    young.set(key, value)
    old.delete(key)
  }

  return {
    get(key) {
      const value = young.get(key)
      if (value !== undefined) return value
      const older = old.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    set,
    get size() {
      return young.size + old.size
    },
  }
}
