import { type Html, html } from '../../platform/text/html.ts'
import { formatCount } from './formats.ts'

/** How many jobs were due at a time. */
export interface BacklogSample {
  /** Milliseconds since the epoch. */
  at: number
  backlog: number
}

const width = 720
const height = 160
/** Pixels for the labels. */
const left = 64
const bottom = 24
const top = 12

/** Draws the backlog over time as bars, for as many samples as fit: oldest first. */
export function backlogPlot(samples: readonly BacklogSample[]): Html {
  const highest = Math.max(1, ...samples.map(({ backlog }) => backlog))
  const step = (width - left) / Math.max(1, samples.length)
  const full = height - bottom - top
  const bars = samples.map(({ at, backlog }, index) => {
    const size = round((backlog / highest) * full)
    const box = { x: round(left + index * step), y: round(top + full - size) }
    return html`<rect class="bar" x="${box.x}" y="${box.y}" width="${round(step * 0.8)}" height="${size}"><title>${timeOf(at)}: ${formatCount(backlog)}</title></rect>`
  })
  const [first, last] = [samples.at(0), samples.at(-1)]
  return html`<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="Due jobs in the last hour, at most ${formatCount(highest)}">
<line class="axis" x1="${left}" y1="${height - bottom}" x2="${width}" y2="${height - bottom}"/>
<text x="${left - 8}" y="${top + 10}" text-anchor="end">${formatCount(highest)}</text>
<text x="${left - 8}" y="${height - bottom}" text-anchor="end">0</text>
${first && html`<text x="${left}" y="${height - 6}">${timeOf(first.at)}</text>`}
${last && html`<text x="${width}" y="${height - 6}" text-anchor="end">${timeOf(last.at)}</text>`}
${bars}</svg>`
}

/** `12:34`, UTC. */
function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 16)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
