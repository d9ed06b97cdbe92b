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

/** The day some months before a day, both `YYYY-MM-DD`; the last of a month that is too short. */
export function monthsBefore(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  const dayOfMonth = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - months)
  const lastOfMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0))
  date.setUTCDate(Math.min(dayOfMonth, lastOfMonth.getUTCDate()))
  return date.toISOString().slice(0, 10)
}
