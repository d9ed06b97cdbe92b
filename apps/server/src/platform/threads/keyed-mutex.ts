import { Mutex } from 'async-mutex'

/** Runs what has the same key one after the other, in the order of the calls, in this process. */
export type KeyedMutex<Key> = <T>(key: Key, work: () => Promise<T>) => Promise<T>

/** Creates a mutex for each key that is in use. */
export function createKeyedMutex<Key>(): KeyedMutex<Key> {
  const mutexes = new Map<Key, Mutex>()
  return async (key, work) => {
    const mutex = mutexes.get(key) ?? new Mutex()
    mutexes.set(key, mutex)
    try {
      return await mutex.runExclusive(work)
    } finally {
      const isLast = !mutex.isLocked() && mutexes.get(key) === mutex
      if (isLast) mutexes.delete(key)
    }
  }
}
