import type { StithyError } from './stithy-error.ts'

/** The maximum `Retry-After` that is waited for, in milliseconds. */
const longestWait = 60_000
const firstBackOff = 250
const longestBackOff = 8_000

/** Parses a `Retry-After` header, seconds or a date, to seconds; null if there is none. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header)
  const time = Date.parse(header)
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - now) / 1000))
}

/**
 * Milliseconds to wait before the same call is retried; undefined if it must not be retried: a
 * refused call (429, 503) was not executed, a lost connection leaves that unknown for all but
 * reads.
 */
export function retryDelay(
  error: StithyError,
  attempt: number,
  random: () => number = Math.random,
): number | undefined {
  const refused = error.code === 'too_many_requests' || error.code === 'unavailable'
  const lost = error.code === 'network_error' && error.method === 'GET'
  if (!refused && !lost) return undefined
  const backOff = Math.min(firstBackOff * 2 ** attempt, longestBackOff)
  // Half of it is random, so that clients refused together don't return together.
  const wait = backOff / 2 + (random() * backOff) / 2
  if (error.retryAfter === null) return wait
  const asked = error.retryAfter * 1000
  return asked > longestWait ? undefined : asked + random() * firstBackOff
}

/** Waits; ends early, without an error, if the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal?.addEventListener('abort', finish)
  })
}
