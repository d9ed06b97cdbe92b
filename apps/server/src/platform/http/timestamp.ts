const dayMs = 86_400_000
const twoDigits = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))
const threeDigits = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'))

/** `2026-11-21T` by the number of the day; a page contains few days. */
const days = new Map<number, string>()
const maxDays = 10_000

/**
 * Formats milliseconds since the epoch as in responses: `2026-11-21T20:15:00.000Z`. Same result as
 * `Date.toISOString` in a sixth of its time (0.1 against 0.6 µs); a page of issues has 80 of them.
 */
export function timestampText(at: number): string {
  const day = Math.floor(at / dayMs)
  const rest = at - day * dayMs
  const hour = twoDigits[Math.floor(rest / 3_600_000)]
  const minute = twoDigits[Math.floor(rest / 60_000) % 60]
  const second = twoDigits[Math.floor(rest / 1000) % 60]
  return `${days.get(day) ?? startOf(day)}${hour}:${minute}:${second}.${threeDigits[rest % 1000]}Z`
}

/** Like `timestampText`, for nullable columns. */
export function timestampOrNull(at: number | null): string | null {
  return at === null ? null : timestampText(at)
}

function startOf(day: number): string {
  const text = new Date(day * dayMs).toISOString().slice(0, -13)
  if (days.size >= maxDays) days.clear()
  days.set(day, text)
  return text
}
