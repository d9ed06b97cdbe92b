import { setTimeout as delay } from 'node:timers/promises'

/** Starts an action at every interval, however long it takes; resolves when all have ended. */
export async function repeat(
  signal: AbortSignal,
  pause: number,
  action: () => Promise<unknown>,
): Promise<void> {
  const running = new Set<Promise<unknown>>()
  while (!signal.aborted) {
    const one = action()
    running.add(one)
    one.then(
      () => running.delete(one),
      () => {},
    )
    await delay(pause)
  }
  await Promise.all(running)
}

/** The value at a share of sorted numbers. */
export function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
