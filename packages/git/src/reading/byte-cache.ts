/** A cache that forgets what was used longest ago once it holds more bytes than it may. */
export interface ByteCache {
  get(key: string): unknown
  /** `bytes` is the caller's estimate; what is larger than an eighth of the cache is not kept. */
  set(key: string, value: unknown, bytes: number): void
  clear(): void
  readonly bytes: number
}

// A map entry with its key, measured on V8 with keys of about 60 characters.
const entryBytes = 200

/** Creates a cache of at most `capacity` bytes. */
export function createByteCache(capacity: number): ByteCache {
  const entries = new Map<string, { value: unknown; bytes: number }>()
  let total = 0
  const remove = (key: string, bytes: number) => {
    entries.delete(key)
    total -= bytes
  }
  return {
    get bytes() {
      return total
    },
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, size) {
      const bytes = size + entryBytes
      const previous = entries.get(key)
      if (previous) remove(key, previous.bytes)
      if (bytes > capacity / 8) return
      entries.set(key, { value, bytes })
      total += bytes
      for (const [oldest, entry] of entries) {
        if (total <= capacity) break
        remove(oldest, entry.bytes)
      }
    },
    clear() {
      entries.clear()
      total = 0
    },
  }
}
