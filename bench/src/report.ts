import { type MemoryFigures, memoryGoal } from './measure/memory.ts'
import type { Pair } from './measure/pairs.ts'
import type { Cost, Profile } from './measure/profile.ts'
import { startUpGoal } from './measure/start-up.ts'
import { rows, sizeGoal } from './rows.ts'

/** Everything one run measured; what was not asked for is absent. */
export interface Report {
  /** Stithy against the baseline, by size of the data. */
  baseline: Record<string, Pair[]>
  /** The large data against the small. */
  sizes: Pair[]
  memory?: MemoryFigures
  startUp?: { times: number[]; median: number }
  profiles?: Profile[]
}

/** The report as tables of Markdown. */
export function formatReport({ baseline, sizes, memory, startUp, profiles = [] }: Report): string {
  return [
    ...Object.entries(baseline).map(([size, pairs]) => baselineTable(size, pairs)),
    ...(sizes.length === 0 ? [] : [sizeTable(sizes)]),
    ...(memory === undefined ? [] : [memoryTable(memory)]),
    ...(startUp === undefined ? [] : [startUpTable(startUp)]),
    ...profiles.map(profileTable),
  ].join('\n\n')
}

const roundHead = (who: string) => [`${who}/s`, 'p50 ms', 'p99 ms', 'µs each']

/** A goal is reached where both figures reach it; the second is NaN where it cannot be taken. */
function baselineTable(size: string, pairs: readonly Pair[]): string {
  const lines = pairs.map((pair) => {
    const goal = rows.find(({ name }) => name === pair.name)?.goal ?? 1
    const { ratio, costRatio } = pair
    const reached = mark(ratio >= goal && !(costRatio < goal))
    return [...pairCells(pair), percent(ratio), percent(costRatio), `≥ ${percent(goal)} ${reached}`]
  })
  const head = [
    ...roundHead('baseline'),
    ...roundHead('Stithy'),
    'ratio',
    'by processor time',
    'goal',
  ]
  return table([`${size} data`, ...head], lines)
}

function sizeTable(pairs: readonly Pair[]): string {
  const lines = pairs.map((pair) => {
    const [times, costTimes] = [1 / pair.ratio, 1 / pair.costRatio]
    const reached = mark(times <= sizeGoal && !(costTimes > sizeGoal))
    const cells = [times.toFixed(2), costTimes.toFixed(2), `≤ ${sizeGoal} ${reached}`]
    return [...pairCells(pair), ...cells]
  })
  const head = [...roundHead('small'), ...roundHead('large'), 'times', 'by processor time', 'goal']
  return table(['large against small', ...head], lines)
}

function pairCells({ name, first, second }: Pair): string[] {
  const cells = [first, second].flatMap(({ rate, p50, p99, cost }) => [
    rate.toFixed(0),
    p50.toFixed(2),
    p99.toFixed(2),
    cost.toFixed(0),
  ])
  return [name, ...cells]
}

function memoryTable({ idle, used }: MemoryFigures): string {
  const line = (when: string, { server, children }: MemoryFigures['idle'], goal: string) => [
    when,
    server.toFixed(0),
    children.toFixed(0),
    goal,
  ]
  const reached = `≤ ${memoryGoal} ${mark(idle.server <= memoryGoal)}`
  return table(
    ['resident MiB', 'server', 'git broker and git', 'goal for the server'],
    [line('at rest after the start', idle, reached), line('at rest after load', used, '')],
  )
}

function startUpTable({ times, median }: NonNullable<Report['startUp']>): string {
  const reached = `≤ ${startUpGoal} ${mark(median <= startUpGoal)}`
  const each = times.map((time) => time.toFixed(0)).join(' ')
  return table(
    ['start to first answer', 'median ms', 'each', 'goal'],
    [['large data', median.toFixed(0), each, reached]],
  )
}

/** The costliest functions by themselves, and those of ours that the most time passes through. */
function profileTable({ name, costs }: Profile): string {
  const line = ({ where, self, total }: Cost) => [where, percent(self), percent(total)]
  const ours = costs.filter(({ where }) => / (?:packages|apps|src)\//.test(where))
  const through = ours.toSorted((a, b) => b.total - a.total).slice(0, 30)
  return [
    table([`${name}: by itself`, 'self', 'total'], costs.slice(0, 30).map(line)),
    table([`${name}: with what it calls`, 'self', 'total'], through.map(line)),
  ].join('\n\n')
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(ratio < 0.1 ? 1 : 0)} %`
}

function mark(reached: boolean): string {
  return reached ? 'reached' : 'missed'
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n')
}
