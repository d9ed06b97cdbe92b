import type { HookHealth } from '@stithy/store'

/** Failures in a row after which a hook is paused. */
export const pauseAfter = 4
/** Failures in a row after which it is disabled: about a week of pauses. */
export const disableAfter = 20

const minPauseMs = 60_000
const maxPauseMs = 24 * 60 * 60_000

/** A hook without failures. */
export const healthy: HookHealth = { failures: 0, pausedUntil: null, disabledAt: null }

/** Whether an attempt was successful: any response below 400. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status < 400
}

/**
 * What an attempt means for a hook: from the fourth failure in a row on it is paused, for a minute
 * and then twice as long each time, up to a day; after the 20th it is disabled.
 */
export function healthAfter(before: HookHealth, status: number | null, now: number): HookHealth {
  if (isSuccess(status)) return healthy
  const failures = before.failures + 1
  if (failures >= disableAfter) return { failures, pausedUntil: null, disabledAt: now }
  if (failures < pauseAfter) return { ...before, failures }
  const pauseMs = Math.min(minPauseMs * 2 ** (failures - pauseAfter), maxPauseMs)
  return { failures, pausedUntil: now + pauseMs, disabledAt: null }
}
