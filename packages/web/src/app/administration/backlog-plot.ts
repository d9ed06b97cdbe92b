import type { QueueMetrics } from '@stithy/core'
import { type Html, html } from '../../platform/html/html.ts'
import { formatCount } from '../../platform/text/numbers.ts'

/** A queue with its name. */
export interface Queue extends QueueMetrics {
  queue: string
}

/** Units of the drawing. */
const row = 22
const left = 150
const width = 720
/** For the number behind the longest bar. */
const right = 80

/** Draws the due jobs of each queue as bars, the longest of which has the full width. */
export function backlogPlot(queues: readonly Queue[]): Html {
  const highest = Math.max(1, ...queues.map(({ backlog }) => backlog))
  const rows = queues.map(({ queue, backlog }, index) => {
    const length = Math.round((backlog / highest) * (width - left - right))
    const baseline = index * row + 15
    return html`<text x="${left - 8}" y="${baseline}" text-anchor="end">${queue}</text>
<rect class="bar" x="${left}" y="${index * row + 4}" width="${length}" height="${row - 8}"/>
<text x="${left + length + 6}" y="${baseline}">${formatCount(backlog)}</text>
`
  })
  const height = queues.length * row
  return html`<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="Due jobs of each queue">
<line class="axis" x1="${left}" y1="0" x2="${left}" y2="${height}"/>
${rows}</svg>`
}
