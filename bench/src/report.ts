import type { BrowserPageFigures } from './browser/browser-pages.ts'
import { browserPagesTable } from './browser/browser-pages-table.ts'
import type { CodeSearchFigures, ServerFigures } from './code-search/code-search.ts'
import { codeSearchTables, tinyRepositoriesTables } from './code-search/code-search-tables.ts'
import { type BesideDiff, besideGoal } from './measure/beside-diff.ts'
import type { ColdRow } from './measure/cold.ts'
import { type EpicMoveFigures, epicMovesTable } from './measure/epic-moves.ts'
import type { FirstTotal, FirstTotals } from './measure/first-totals.ts'
import { type HangingHooksFigures, hangingHooksTable } from './measure/hanging-hooks.ts'
import { type CreationFigures, creationGoal, latencyGoal } from './measure/issue-creation.ts'
import type { ItemListFigures } from './measure/item-lists.ts'
import { type JobFigures, jobsTable } from './measure/jobs.ts'
import { growthGoal, type MarkdownFigures, markdownGoal } from './measure/markdown.ts'
import type { MemoryFigures } from './measure/memory.ts'
import { memoryTables } from './measure/memory-tables.ts'
import type { Pair } from './measure/pairs.ts'
import type { PeopleFigures } from './measure/people.ts'
import { peopleTables } from './measure/people-tables.ts'
import type { Cost, Profile } from './measure/profile.ts'
import { type SearchFigures, searchTable } from './measure/search.ts'
import { startUpGoal } from './measure/start-up.ts'
import { waitsTable } from './measure/waits-table.ts'
import type { WebPageFigures } from './measure/web-pages.ts'
import { webPagesTable } from './measure/web-pages-table.ts'
import type { ReviewFigures } from './review/review.ts'
import { reviewTables } from './review/review-tables.ts'
import { rows, sizeRows } from './rows.ts'
import { percent, reachedOrMissed, table, toTenths } from './tables.ts'
import { type CloneFigures, clonesGoal } from './transfers/clones.ts'
import { type TransferFigures, transferGoal } from './transfers/transfers.ts'

/** Everything that one run measured; what was not requested is absent. */
export interface Report {
  /** Stithy against the baseline, by size of the data. */
  baseline: Record<string, Pair[]>
  /** The large data against the small. */
  sizes: Pair[]
  /** Another checkout against this one. */
  before?: Pair[]
  /** Lists of issues and merge requests, large against small. */
  issueLists?: ItemListFigures[]
  mergeRequestLists?: ItemListFigures[]
  issueCreation?: CreationFigures[]
  epicMoves?: EpicMoveFigures[]
  search?: SearchFigures[]
  jobs?: JobFigures[]
  hangingHooks?: HangingHooksFigures[]
  people?: PeopleFigures
  cold?: ColdRow[]
  besideDiff?: BesideDiff
  firstTotals?: FirstTotals
  /** Of this checkout, after another's if there is one. */
  memory?: MemoryFigures[]
  markdown?: MarkdownFigures
  startUp?: { times: number[]; median: number }
  profiles?: Profile[]
  transfers?: TransferFigures
  clones?: CloneFigures
  review?: ReviewFigures
  codeSearch?: CodeSearchFigures
  tinyRepositories?: ServerFigures
  webPages?: WebPageFigures[]
  browserPages?: BrowserPageFigures[]
}

/** The report as Markdown tables. */
export function formatReport(report: Report): string {
  const { baseline, sizes, before, cold, besideDiff, memory, startUp, profiles = [] } = report
  const { transfers, clones, markdown, issueLists, mergeRequestLists, issueCreation, firstTotals } =
    report
  return [
    ...Object.entries(baseline).map(([size, pairs]) => baselineTable(size, pairs)),
    ...(sizes.length === 0 ? [] : [sizeTable(sizes)]),
    ...(before === undefined ? [] : [beforeTable(before)]),
    ...(issueLists === undefined ? [] : [itemListTable('issues', issueLists)]),
    ...(mergeRequestLists === undefined
      ? []
      : [itemListTable('merge requests', mergeRequestLists)]),
    ...(issueCreation === undefined ? [] : [creationTable(issueCreation)]),
    ...(report.epicMoves === undefined ? [] : [epicMovesTable(report.epicMoves)]),
    ...(report.search === undefined ? [] : [searchTable(report.search)]),
    ...(report.jobs === undefined ? [] : [jobsTable(report.jobs)]),
    ...(report.hangingHooks === undefined ? [] : [hangingHooksTable(report.hangingHooks)]),
    ...(report.people === undefined ? [] : peopleTables(report.people)),
    ...(cold === undefined ? [] : [coldTable(cold)]),
    ...(besideDiff === undefined ? [] : [besideDiffTable(besideDiff)]),
    ...(firstTotals === undefined ? [] : firstTotalsTables(firstTotals)),
    ...(memory === undefined ? [] : memoryTables(memory)),
    ...(startUp === undefined ? [] : [startUpTable(startUp)]),
    ...(markdown === undefined ? [] : markdownTables(markdown)),
    ...(transfers === undefined ? [] : [transferTable(transfers)]),
    ...(clones === undefined ? [] : [cloneTable(clones)]),
    ...(report.review === undefined ? [] : reviewTables(report.review)),
    ...(report.codeSearch === undefined ? [] : codeSearchTables(report.codeSearch)),
    ...tinyRepositoriesTables(report.tinyRepositories),
    ...(report.webPages === undefined ? [] : [webPagesTable(report.webPages)]),
    ...(report.browserPages === undefined ? [] : [browserPagesTable(report.browserPages)]),
    ...profiles.map(profileTable),
  ].join('\n\n')
}

const roundHead = (who: string) => [`${who}/s`, 'p50 ms', 'p99 ms', 'µs each']

/** A goal is reached if both figures reach it; the second is NaN if it is not available. */
function baselineTable(size: string, pairs: readonly Pair[]): string {
  const lines = pairs.map((pair) => {
    const goal = rows.find(({ name }) => name === pair.name)?.goal ?? 1
    const { ratio, costRatio } = pair
    const reached = reachedOrMissed(ratio >= goal && !(costRatio < goal))
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

/** Processor time decides: a change may cost 5 %. */
function beforeTable(pairs: readonly Pair[]): string {
  const lines = pairs.map((pair) => {
    const { ratio, costRatio } = pair
    const goal = `≥ 95 % ${reachedOrMissed(costRatio >= 0.95)}`
    return [...pairCells(pair), percent(ratio), percent(costRatio), goal]
  })
  const head = [...roundHead('before'), ...roundHead('after'), 'ratio', 'by processor time', 'goal']
  return table(['small data', ...head], lines)
}

function sizeTable(pairs: readonly Pair[]): string {
  const lines = pairs.map((pair) => {
    const [times, costTimes] = [1 / pair.ratio, 1 / pair.costRatio]
    const goal = sizeRows.find(({ name }) => name === pair.name)?.goal ?? 1
    const reached = reachedOrMissed(times <= goal && !(costTimes > goal))
    const cells = [times.toFixed(2), costTimes.toFixed(2), `≤ ${goal} ${reached}`]
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

function coldTable(rows: readonly ColdRow[]): string {
  const lines = rows.map(({ name, git, stithy, times, goal }) => [
    name,
    git.toFixed(1),
    stithy.toFixed(1),
    times.toFixed(2),
    `≤ ${goal} ${reachedOrMissed(times <= goal)}`,
  ])
  return table(['commits, cold', 'git in a shell, ms', 'Stithy, ms', 'times', 'goal'], lines)
}

function besideDiffTable({ alone, beside, diffs }: BesideDiff): string {
  const goal = `≤ ${besideGoal} ${reachedOrMissed(beside <= besideGoal)}`
  return table(
    ['beside a diff of 5,000 files', 'version alone, p99 ms', 'beside, p99 ms', 'diffs', 'goal'],
    [['version', alone.toFixed(1), beside.toFixed(1), String(diffs), goal]],
  )
}

function firstTotalsTables({ waits, writes, lists }: FirstTotals): string[] {
  const failed = ({ status }: FirstTotal) => (status === 200 ? '' : ` (${status})`)
  return [
    waitsTable({ 'the first total of every list': waits }),
    table(
      ['beside the first total of every list', 'requests', 'p50 ms', 'max ms'],
      [['creation of an issue', String(writes.made), ...[writes.p50, writes.max].map(toTenths)]],
    ),
    table(
      ['first request of a list', 'ms'],
      lists.map((list) => [`${list.caller}: ${list.path}${failed(list)}`, list.ms.toFixed(0)]),
    ),
  ]
}

/** Microseconds of processor time on large data, and as a multiple of small data. */
function itemListTable(items: string, figures: readonly ItemListFigures[]): string {
  const scopes = Object.keys(figures[0]?.pairs ?? {})
  const cells = ({ second, costRatio }: Pair) => {
    const times = 1 / costRatio
    return [second.cost.toFixed(0), `${times.toFixed(2)} ${reachedOrMissed(times <= 1.5)}`]
  }
  return table(
    [`${items}, large against small`, ...scopes.flatMap((scope) => [`${scope}, µs each`, 'times'])],
    figures.map(({ filter, pairs }) => [filter, ...Object.values(pairs).flatMap(cells)]),
  )
}

function creationTable(figures: readonly CreationFigures[]): string {
  const lines = figures.map(({ connections, durability, baseline, stithy, ratio, p50, p99 }) => [
    String(connections),
    durability,
    baseline.toFixed(0),
    stithy.toFixed(0),
    percent(ratio),
    `≥ ${percent(creationGoal)} ${reachedOrMissed(ratio >= creationGoal)}`,
    p50.toFixed(2),
    p99.toFixed(2),
    `≤ ${latencyGoal} × p50 ${reachedOrMissed(p99 <= latencyGoal * p50)}`,
  ])
  return table(
    [
      'clients that create issues',
      'durability',
      'baseline/s',
      'Stithy/s',
      'ratio',
      'goal',
      'p50 ms',
      'p99 ms',
      'goal',
    ],
    lines,
  )
}

function markdownTables({ ordinary, hostile }: MarkdownFigures): string[] {
  const row = (name: string, figures: readonly [number, number, number], goal: number) => [
    name,
    ...figures.map((figure) => figure.toFixed(figure < 10 ? 2 : 0)),
    `≤ ${goal} ${reachedOrMissed((figures[2] ?? 0) <= goal)}`,
  ]
  return [
    table(
      ['1 MiB of Markdown', 'parser ms', 'ms', 'times', 'goal'],
      ordinary.map(({ name, parserOnly, stithy, times }) =>
        row(name, [parserOnly, stithy, times], markdownGoal),
      ),
    ),
    table(
      ['hostile Markdown', '200,000 characters ms', '400,000 characters ms', 'times', 'goal'],
      hostile.map(({ name, once, twice, times }) => row(name, [once, twice, times], growthGoal)),
    ),
  ]
}

function startUpTable({ times, median }: NonNullable<Report['startUp']>): string {
  const reached = `≤ ${startUpGoal} ${reachedOrMissed(median <= startUpGoal)}`
  const each = times.map((time) => time.toFixed(0)).join(' ')
  return table(
    ['start to first answer', 'median ms', 'each', 'goal'],
    [['large data', median.toFixed(0), each, reached]],
  )
}

function transferTable({ mebibytes, transfers }: TransferFigures): string {
  const lines = transfers.map(({ name, git, stithy, times }) => [
    name,
    git.toFixed(2),
    stithy.toFixed(2),
    times.toFixed(2),
    `≤ ${transferGoal} ${reachedOrMissed(times <= transferGoal)}`,
  ])
  const head = ['git http-backend, s', 'Stithy, s', 'times', 'goal']
  return table([`${mebibytes} MiB over HTTP`, ...head], lines)
}

function cloneTable({ clones, seconds, peak, processes }: CloneFigures): string {
  const total = peak.server + peak.children
  const goal = `≤ ${clonesGoal} ${reachedOrMissed(total <= clonesGoal)}`
  const cells = [peak.server, peak.children].map((memory) => memory.toFixed(0))
  return table(
    ['clones at once', 'seconds', 'server, MiB', 'git, MiB', 'processes', 'goal for all'],
    [[String(clones), seconds.toFixed(1), ...cells, String(processes), goal]],
  )
}

/** The functions with the highest own cost, and those of own with the highest total cost. */
function profileTable({ name, costs }: Profile): string {
  const line = ({ where, self, total }: Cost) => [where, percent(self), percent(total)]
  const own = costs.filter(({ where }) => / (?:packages|apps|src)\//.test(where))
  const through = own.toSorted((a, b) => b.total - a.total).slice(0, 30)
  return [
    table([`${name}: by itself`, 'self', 'total'], costs.slice(0, 30).map(line)),
    table([`${name}: with what it calls`, 'self', 'total'], through.map(line)),
  ].join('\n\n')
}
