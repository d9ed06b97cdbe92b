import { collectGarbageOnce } from '../platform/threads/collect-garbage.ts'

/** What one collection may free less than and still count as the last. */
const negligible = 64 * 1024
const maxRounds = 8

/**
 * Collects all garbage of this thread at once; on a large heap that takes over 100 ms. One
 * collection is not enough: it may only end a marking that began while the garbage was still in
 * use, and dead buffers are freed beside the program, which the next collection waits for.
 */
export function collectGarbage(): void {
  collectGarbageOnce()
  let held = Number.POSITIVE_INFINITY
  for (let round = 0; round < maxRounds; round++) {
    collectGarbageOnce()
    const { external } = process.memoryUsage()
    if (external > held - negligible) return
    held = external
  }
}
