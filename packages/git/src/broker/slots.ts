import { Semaphore } from 'async-mutex'

/** A limited number of slots; callers queue for them. */
export interface Slots {
  /** Resolves with a function that releases the slot; calling it twice has no effect. */
  take(): Promise<() => void>
}

/**
 * Creates `count` slots, so that a burst of diffs doesn't become a burst of processes. A caller
 * that has waited for `maxWaitMs` proceeds without a slot: where clients decide how long a slot is
 * held, slots smooth bursts but must not stop everything.
 */
export function createSlots(count: number, maxWaitMs?: number): Slots {
  const semaphore = new Semaphore(count)
  return {
    async take() {
      const waiting = semaphore.acquire()
      if (maxWaitMs === undefined) return (await waiting)[1]
      let counted = true
      // The timeout is the same for all, so the caller that times out is the first in the queue and
      // gets the slot that is added here. `withTimeout` would leave it queued until a release.
      const timer = setTimeout(() => {
        counted = false
        semaphore.release()
      }, maxWaitMs)
      const [, release] = await waiting
      clearTimeout(timer)
      return counted ? release : () => {}
    },
  }
}
