const dayMs = 24 * 60 * 60_000

let lastDay = { number: Number.NaN, text: '' }

/**
 * The day of a timestamp in UTC, `YYYY-MM-DD`; `at` is milliseconds since the epoch. Every request
 * that checks a membership needs today's, so the last result is cached.
 */
export function dayOf(at: number): string {
  const number = Math.floor(at / dayMs)
  if (lastDay.number !== number) lastDay = { number, text: new Date(at).toISOString().slice(0, 10) }
  return lastDay.text
}
