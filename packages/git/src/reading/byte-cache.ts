import { LRUCache } from 'lru-cache'

/** A cache of limited size in bytes that evicts the least recently used entries. */
export interface ByteCache {
  get(key: string): unknown
  /** `bytes` is an estimate; a value larger than three quarters of the capacity is not cached. */
  set(key: string, value: NonNullable<unknown>, bytes: number): void
  delete(key: string): void
  clear(): void
  readonly bytes: number
}

/** The overhead of an entry, measured on V8 with keys of about 60 characters. */
const entryBytes = 200

/** Creates a cache of at most `capacity` bytes. */
export function createByteCache(capacity: number): ByteCache {
  const entries = new LRUCache<string, NonNullable<unknown>>({
    maxSize: capacity,
    maxEntrySize: Math.floor((3 * capacity) / 4),
  })
  return {
    get bytes() {
      return entries.calculatedSize
    },
    get: (key) => entries.get(key),
    set(key, value, bytes) {
      entries.set(key, value, { size: bytes + entryBytes })
    },
    delete(key) {
      entries.delete(key)
    },
    clear() {
      entries.clear()
    },
  }
}
