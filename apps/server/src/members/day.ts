const dayMs = 24 * 60 * 60_000

let known = { number: Number.NaN, text: '' }

/**
 * The day of an instant in UTC, `YYYY-MM-DD`; `at` is milliseconds since the epoch. Every request with a
 * membership in it asks for today, so the last answer is kept.
 */
export function dayOf(at: number): string {
  const number = Math.floor(at / dayMs)
  if (known.number !== number) known = { number, text: new Date(at).toISOString().slice(0, 10) }
  return known.text
}
