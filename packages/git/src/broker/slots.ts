import { Semaphore } from 'async-mutex'

/** A limited number of slots; callers queue for them. */
export interface Slots {
  /** Resolves with a function that releases the slot; calling it twice has no effect. */
  take(): Promise<() => void>
}

/** Creates `count` slots, so that a burst of diffs doesn't become a burst of processes. */
export function createSlots(count: number): Slots {
  const semaphore = new Semaphore(count)
  return {
    async take() {
      const [, release] = await semaphore.acquire()
      return release
    },
  }
}
