import type { BacklogSample } from '@stithy/core'
import { type Html, html } from '../../platform/html/html.ts'

/** Units of the drawing. */
const width = 720
const height = 140
const left = 64
const top = 20
const bottom = 24
const right = 8
const plotHeight = height - top - bottom

/** Minutes that are drawn. */
const minutes = 24 * 60
const minuteMs = 60_000

/** A sample by its minute since the epoch. */
interface MinuteSample extends BacklogSample {
  minute: number
}

/** What is drawn over time. */
interface Series {
  title: string
  value: (sample: BacklogSample) => number
  format: (value: number) => string
}

/**
 * Draws a value of the samples of the last 24 hours as an area. It is interrupted where minutes have
 * no samples, since no worker was running.
 * @param now milliseconds since the epoch
 */
export function backlogHistory(
  history: readonly BacklogSample[],
  now: number,
  { title, value, format }: Series,
): Html {
  const samples = history.map((sample) => ({
    ...sample,
    minute: Math.floor(Date.parse(sample.recorded_at) / minuteMs),
  }))
  const first = Math.floor(now / minuteMs) - minutes + 1
  const highest = Math.max(1, ...samples.map(value))
  const x = (minute: number) => left + ((minute - first) / (minutes - 1)) * (width - left - right)
  const y = (sample: MinuteSample) => top + plotHeight * (1 - value(sample) / highest)
  const base = top + plotHeight
  const areas = runsOf(samples).map((run) => {
    const outline = run.map((sample) => `${round(x(sample.minute))},${round(y(sample))}`)
    const [from, to] = [x(run[0]?.minute ?? 0), x(run.at(-1)?.minute ?? 0)]
    return html`<polygon class="area" points="${round(from)},${base} ${outline.join(' ')} ${round(to)},${base}"/>
`
  })
  return html`<figure><figcaption>${title}</figcaption>
<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}, at most ${format(highest)}">
<line class="axis" x1="${left}" y1="${top}" x2="${left}" y2="${base}"/>
<line class="axis" x1="${left}" y1="${base}" x2="${width - right}" y2="${base}"/>
<text x="${left - 8}" y="${top + 4}" text-anchor="end">${format(highest)}</text>
<text x="${left - 8}" y="${base + 4}" text-anchor="end">${format(0)}</text>
${areas}${hours(first).map(
  ({ minute, label }) =>
    html`<text x="${round(x(minute))}" y="${height - 6}" text-anchor="middle">${label}</text>
`,
)}</svg></figure>
`
}

/** Samples of minutes that follow each other. */
function runsOf(samples: readonly MinuteSample[]): MinuteSample[][] {
  const runs: MinuteSample[][] = []
  for (const sample of samples) {
    const run = runs.at(-1)
    // A timer that is late may leave out a minute.
    if (run !== undefined && sample.minute - (run.at(-1)?.minute ?? 0) <= 2) run.push(sample)
    else runs.push([sample])
  }
  return runs
}

/** Every third hour of what is drawn, in UTC. */
function hours(first: number): { minute: number; label: string }[] {
  const step = 180
  const marks: { minute: number; label: string }[] = []
  for (let minute = Math.ceil(first / step) * step; minute < first + minutes; minute += step) {
    const hour = (minute / 60) % 24
    marks.push({ minute, label: `${String(hour).padStart(2, '0')}:00` })
  }
  return marks
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
