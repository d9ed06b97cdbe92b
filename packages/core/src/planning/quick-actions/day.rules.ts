const dayMs = 24 * 60 * 60_000
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/**
 * Parses a day to `YYYY-MM-DD`, relative to `today` (in the same format): a date, also `March 11,
 * 2016` or `December 31st`, which is the next one; `today`, `tomorrow`, `friday`, `next friday`,
 * `in 2 days`, `next month`. Undefined for other texts.
 */
export function parseDay(text: string, today: string): string | undefined {
  const words = text.trim().toLowerCase().replace(/,/g, ' ').replace(/\s+/g, ' ')
  if (words.length > 100) return undefined
  return parseIso(words) ?? parseRelative(words, today) ?? parseNamed(words, today)
}

/** Parses an ISO date; undefined when there is no such day. */
function parseIso(text: string): string | undefined {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  return year === '' ? undefined : dateOf(Number(year), Number(month), Number(day))
}

function dateOf(year: number, month: number, day: number): string | undefined {
  if (year < 1) return undefined
  const pad = (value: number, length = 2) => String(value).padStart(length, '0')
  const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}`
  const at = Date.parse(`${text}T00:00:00Z`)
  // Engines differ on days beyond the end of the month: some roll over, others reject them.
  return Number.isNaN(at) || toDay(at) !== text ? undefined : text
}

function toDay(at: number): string | undefined {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999
    ? undefined
    : date.toISOString().slice(0, 10)
}

function parseRelative(words: string, today: string): string | undefined {
  const start = Date.parse(`${today}T00:00:00Z`)
  if (words === 'today') return today
  if (words === 'tomorrow') return toDay(start + dayMs)
  const [, count, unit] =
    /^(?:in )?(\d{1,4}|an?|one|next) (day|week|month|year)s?(?: from now)?$/.exec(words) ?? []
  if (count !== undefined && unit !== undefined) {
    return step(start, /^\d/.test(count) ? Number(count) : 1, unit)
  }
  const [, next, name = ''] = /^(?:(this|next|on) )?([a-z]+)$/.exec(words) ?? []
  const weekday = weekdays.findIndex((known) => known === name || known.slice(0, 3) === name)
  if (weekday === -1) return undefined
  const ahead = (weekday - new Date(start).getUTCDay() + 7) % 7 || 7
  return toDay(start + (next === 'next' && ahead < 7 ? ahead + 7 : ahead) * dayMs)
}

function step(start: number, count: number, unit: string): string | undefined {
  if (unit === 'day') return toDay(start + count * dayMs)
  if (unit === 'week') return toDay(start + 7 * count * dayMs)
  const date = new Date(start)
  const month = date.getUTCMonth() + count * (unit === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return toDay(Date.UTC(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), lastDay)))
}

/** `march 11 2016`, `11 march`, `december 31st`; without a year the next such day. */
function parseNamed(words: string, today: string): string | undefined {
  const [, a = '', b = '', given] =
    /^([a-z]{3,9}|\d{1,2}(?:st|nd|rd|th)?) ([a-z]{3,9}|\d{1,2}(?:st|nd|rd|th)?)(?: (\d{4}))?$/.exec(
      words,
    ) ?? []
  const [name, number] = /^\d/.test(a) ? [b, a] : [a, b]
  const month = months.findIndex((known) => known === name || known.slice(0, 3) === name) + 1
  if (month === 0 || !/^\d/.test(number)) return undefined
  const day = Number.parseInt(number, 10)
  if (given !== undefined) return dateOf(Number(given), month, day)
  const year = Number(today.slice(0, 4))
  const found = [0, 1, 2, 3, 4].map((more) => dateOf(year + more, month, day))
  return found.find((date) => date !== undefined && date >= today)
}
