import { lazy } from '@stithy/core/lazy'
import { type Html, html } from '../html/html.ts'

const units = [
  ['year', 365.25 * 86_400_000],
  ['month', 30.44 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const relative = lazy(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }))
const dayFormat = lazy(
  () => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }),
)

/** How long ago a moment was, or until it comes: `3 days ago`, `in 2 hours`. */
export function relativeTime(time: number, now: number): string {
  const difference = time - now
  const unit = units.find(([, ms]) => Math.abs(difference) >= ms)
  if (unit === undefined) return 'just now'
  const [name, ms] = unit
  return relative().format(Math.trunc(difference / ms), name)
}

/** A moment relative to now, with the exact one in UTC on hover. */
export function timeAgo(timestamp: string, now: number): Html {
  const exact = `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC`
  return html`<time datetime="${timestamp}" title="${exact}">${relativeTime(Date.parse(timestamp), now)}</time>`
}

/** A day as people write it: `Nov 25, 2026`. @param day `2026-11-25`, or a longer timestamp */
export function shortDay(day: string): Html {
  return html`<time datetime="${day}">${dayFormat().format(Date.parse(day.slice(0, 10)))}</time>`
}
