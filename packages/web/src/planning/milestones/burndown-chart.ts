import type { BurndownEvent, Milestone } from '@stithy/core'
import { css } from '../../platform/html/css.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { plural } from '../../platform/text/numbers.ts'

export const burndownStyle = css`
.burndown { display: block; width: 100%; height: auto; max-height: 16rem; }
.burndown .axis { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.burndown .ideal { stroke: var(--muted); stroke-dasharray: 4 4; fill: none; vector-effect: non-scaling-stroke; }
.burndown .left { stroke: var(--accent); stroke-width: 2; fill: none; vector-effect: non-scaling-stroke; }
.burndown text { fill: var(--muted); font-size: 11px; }
`

const dayLength = 86_400_000
const width = 640
const height = 200
/** Around the plot, for the numbers. */
const edge = { left: 36, right: 8, top: 10, bottom: 22 }

/** The open issues at the end of one day. */
export interface OpenIssues {
  day: number
  open: number
}

/** How many issues were open on each day of a milestone, until now. */
export function openIssuesByDay(
  events: readonly BurndownEvent[],
  { start, end }: { start: number; end: number },
): OpenIssues[] {
  const changes = events.map(({ created_at: at, action }) => ({
    at: Date.parse(at),
    by: action === 'closed' ? -1 : 1,
  }))
  const days: OpenIssues[] = []
  let open = 0
  let next = 0
  for (let day = start; day <= end; day += dayLength) {
    for (let change = changes[next]; change !== undefined; change = changes[next]) {
      if (change.at >= day + dayLength) break
      open += change.by
      next += 1
    }
    days.push({ day, open })
  }
  return days
}

/** A plot of the open issues of a milestone; undefined without both dates, and for over two years. */
export function burndownChart(
  { start_date: from, due_date: to }: Milestone,
  events: readonly BurndownEvent[],
  now: number,
): Html | undefined {
  if (from === null || to === null || events.length === 0) return undefined
  const [start, due] = [Date.parse(from), Date.parse(to)]
  if (due <= start || due - start > 730 * dayLength) return undefined
  const days = openIssuesByDay(events, { start, end: Math.min(due, now) })
  const most = days.reduce((top, { open }) => Math.max(top, open), 1)
  const x = (day: number) =>
    edge.left + ((day - start) / (due - start)) * (width - edge.left - edge.right)
  const y = (open: number) =>
    height - edge.bottom - (open / most) * (height - edge.top - edge.bottom)
  const first = days[0]?.open ?? most
  const last = days.at(-1)?.open ?? 0
  const title = `Burndown: ${plural(first, 'open issue')} on ${from}, ${last} left on the last day shown`
  const line = days.map(({ day, open }) => `${x(day).toFixed(1)},${y(open).toFixed(1)}`).join(' ')
  return html`<svg class="burndown" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<line class="axis" x1="${edge.left}" y1="${y(0)}" x2="${width - edge.right}" y2="${y(0)}"/>
<line class="axis" x1="${edge.left}" y1="${edge.top}" x2="${edge.left}" y2="${y(0)}"/>
<polyline class="ideal" points="${x(start)},${y(most)} ${x(due)},${y(0)}"/>
<polyline class="left" points="${line}"/>
<text x="${edge.left - 6}" y="${y(most) + 4}" text-anchor="end">${most}</text><text x="${edge.left - 6}" y="${y(0) + 4}" text-anchor="end">0</text>
<text x="${edge.left}" y="${height - 6}">${from}</text><text x="${width - edge.right}" y="${height - 6}" text-anchor="end">${to}</text>
</svg>`
}
