const number = String.raw`(?:\d+(?:\.\d+)?|\.\d+)`

/** Units of time tracking, largest first: a day has 8 hours, a week 5 days, a month 4 weeks. */
const units = [
  ['mo', 576_000],
  ['w', 144_000],
  ['d', 28_800],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

const unit = '[ \\t]*(?:[mM][oO]|[wdhmsWDHMS])'
const size = String.raw`${number}(?:${unit}(?:[ \t]*${number}${unit})*)?\s*$`

/** What `parseDuration` takes, as patterns of JSON schema. */
export const durationPatterns = {
  /** With or without a leading minus. */
  signed: String.raw`^\s*(?:-\s*)?${size}`,
  /** Zero or more. */
  unsigned: String.raw`^\s*${size}`,
} as const

/** Formats seconds: 12,600 is `3h 30m`, 270,000 is `1w 4d 3h`. Null for zero or less. */
export function humanDuration(seconds: number): string | null {
  let rest = Math.max(0, Math.trunc(seconds))
  const parts: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return parts.length === 0 ? null : parts.join(' ')
}

/** Maximum stored duration, in seconds. */
export const maxDuration = 2_147_483_647

const part = /[ \t]*(\d+(?:\.\d+)?|\.\d+)[ \t]*(mo|[wdhms])/iy

/**
 * Parses a duration to seconds: numbers with a unit in any order, with or without spaces, negated
 * by a leading minus; a plain number means hours. Rounded to seconds, and limited to `maxDuration`
 * in both directions. Undefined for other texts.
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim()
  const isNegative = trimmed.startsWith('-')
  const seconds = parseSize(isNegative ? trimmed.slice(1).trimStart() : trimmed)
  if (seconds === undefined) return undefined
  const size = Math.min(Math.round(seconds), maxDuration)
  return isNegative && size > 0 ? -size : size
}

function parseSize(text: string): number | undefined {
  if (/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text)) return Number(text) * 3600
  const sizes: Readonly<Record<string, number>> = Object.fromEntries(units)
  let seconds = 0
  let at = 0
  while (at < text.length) {
    part.lastIndex = at
    const [, number = '', unit = ''] = part.exec(text) ?? []
    if (number === '') return undefined
    seconds += Number(number) * (sizes[unit.toLowerCase()] ?? 0)
    at = part.lastIndex
  }
  return at === 0 ? undefined : seconds
}
