/** The units of time tracking, the largest first: a day has 8 hours, a week 5 days, a month 4 weeks. */
const units = [
  ['mo', 576_000],
  ['w', 144_000],
  ['d', 28_800],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/**
 * A number of seconds as people read it (catalogue: issues, 2.4): 12,600 is `3h 30m`, 270,000 is
 * `1w 4d 3h`. Null for none, or less than none.
 */
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
