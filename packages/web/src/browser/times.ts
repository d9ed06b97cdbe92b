import { relativeTime } from '../platform/text/time.ts'
import { all } from './dom.ts'

/** Milliseconds between updates. */
const interval = 30_000

/** Keeps times relative to now: those that have the exact one as their title. */
export function startTimes(): void {
  setInterval(update, interval)
  document.addEventListener('visibilitychange', update)
}

function update(): void {
  if (document.hidden) return
  for (const time of all<HTMLTimeElement>('time[title]')) {
    const text = relativeTime(Date.parse(time.dateTime), Date.now())
    if (time.textContent !== text) time.textContent = text
  }
}
