import type { RefUpdate } from '@stithy/core'
import { Mutex } from 'async-mutex'

/** What a push waits for at most, in milliseconds. */
const maxWaitMs = 10_000

/** A branch, by the id of its project and the full name of its ref. */
export interface HeldBranch {
  projectId: number
  ref: string
}

const held = new Map<string, Mutex>()

const keyOf = ({ projectId, ref }: HeldBranch) => `${projectId} ${ref}`

/**
 * Keeps other pushes of this process from moving a branch while `work` moves it: a compare-and-swap
 * that takes longer than the pause between pushes would never win. Holders of a branch take turns.
 */
export async function holdBranch<T>(branch: HeldBranch, work: () => Promise<T>): Promise<T> {
  const key = keyOf(branch)
  const mutex = held.get(key) ?? new Mutex()
  held.set(key, mutex)
  try {
    return await mutex.runExclusive(work)
  } finally {
    if (!mutex.isLocked() && held.get(key) === mutex) held.delete(key)
  }
}

/**
 * Waits until nobody holds any of the branches, but not for long. The caller still has to compare
 * and swap: servers do not know of each other's holders.
 */
export async function waitForBranches(
  projectId: number,
  updates: readonly Pick<RefUpdate, 'ref'>[],
): Promise<void> {
  if (held.size === 0) return
  const waits = updates.map(({ ref }) => held.get(keyOf({ projectId, ref }))?.waitForUnlock())
  if (waits.every((wait) => wait === undefined)) return
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, maxWaitMs)
  await Promise.race([Promise.all(waits), timeout.promise])
  clearTimeout(timer)
}
