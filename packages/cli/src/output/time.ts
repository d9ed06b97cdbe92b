const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const units = [
  { unit: 'minute', seconds: minute, until: hour },
  { unit: 'hour', seconds: hour, until: day },
  { unit: 'day', seconds: day, until: 7 * day },
] as const

/**
 * A timestamp in words: `3 hours ago`, `in 2 days`, and after a week its date (UTC); undefined for
 * other text. `now` is in milliseconds since the epoch.
 */
export function timeInWords(text: string, now: number): string | undefined {
  if (!timestamp.test(text)) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time)) return undefined
  const seconds = Math.round((time - now) / 1000)
  const distance = Math.abs(seconds)
  if (distance < minute) return seconds > 0 ? 'in a moment' : 'just now'
  const fitting = units.find(({ until }) => distance < until)
  if (fitting === undefined) return new Date(time).toISOString().slice(0, 10)
  const words = new Intl.RelativeTimeFormat('en')
  return words.format(Math.trunc(seconds / fitting.seconds), fitting.unit)
}
