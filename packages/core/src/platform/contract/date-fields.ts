import { z } from 'zod'
import { loose } from './fields.ts'
import { shared } from './shared-schema.ts'

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/

/** Whether a text is an existing day, as `YYYY-MM-DD`. */
export function isDate(value: string): boolean {
  const match = datePattern.exec(value)
  if (match === null) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

/** Reduces a timestamp to the day that it states, in its own time zone; keeps any other value. */
function readDay(value: unknown): unknown {
  if (typeof value !== 'string' || parseTimestamp(value) === undefined) return value
  return value.slice(0, 10)
}

/** A day, `YYYY-MM-DD`; also a timestamp, of which the day is kept. */
export const date = shared((): z.ZodType<string, string> => {
  return loose(readDay, z.string().refine(isDate), { type: 'string', format: 'date' }, true)
})

/** A day or a timestamp, as `date()` takes them, or `null` or an empty string to clear it. */
export const clearableDate = shared((): z.ZodType<string | null, string | null> => {
  return loose(
    (value) => (value === '' ? null : readDay(value)),
    z.string().refine(isDate).nullable(),
    { type: ['string', 'null'], format: 'date' },
  )
})

const timestampPattern =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}| \d{2}:?\d{2}| UTC)?)?$/i

/**
 * Parses ISO 8601 to milliseconds since the epoch; UTC without an offset. Undefined when invalid.
 */
export function parseTimestamp(value: string): number | undefined {
  if (!timestampPattern.test(value) || !isDate(value.slice(0, 10))) return undefined
  const spelled = value
    .replace(/ UTC$/i, 'Z')
    .replace(/^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/, '$1T')
    // An unescaped `+` in a query string arrives as a space.
    .replace(/ (\d{2}:?\d{2})$/, '+$1')
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(spelled.slice(10))
  const dated = spelled.length === 10 ? `${spelled}T00:00:00Z` : hasOffset ? spelled : `${spelled}Z`
  const time = Date.parse(dated)
  return Number.isNaN(time) ? undefined : time
}

/** A timestamp in ISO 8601, converted to milliseconds since the epoch. */
export const dateTime = shared((): z.ZodType<number, string> => {
  return loose<number, string>(
    (value) => {
      if (typeof value !== 'string') return typeof value === 'number' ? 'invalid' : value
      return parseTimestamp(value) ?? value
    },
    z.number(),
    { type: 'string', format: 'date-time' },
    true,
  )
})
