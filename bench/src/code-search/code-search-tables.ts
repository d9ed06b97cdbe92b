import { livenessGoal } from '../measure/first-totals.ts'
import { percent, reachedOrMissed, table, toTenths } from '../tables.ts'
import type { CodeSearchFigures } from './code-search.ts'

/** MiB a second. */
const rateGoal = 10
/** The size of the index as a share of the text. */
const shareGoal = 1.2
/** Milliseconds of a search. */
const searchGoal = 150

/** The figures of the search of code as Markdown tables. */
export function codeSearchTables({ indexing, searches, waits }: CodeSearchFigures): string[] {
  return [
    indexingTable(indexing),
    table(
      ['`GET /-/liveness` beside', 'p50 ms', 'p99 ms', 'max ms', 'goal'],
      Object.entries({ indexing: indexing.waits, searches: waits }).map(
        ([name, { p50, p99, max }]) => [
          name,
          ...[p50, p99, max].map(toTenths),
          `max ≤ ${livenessGoal} ms ${reachedOrMissed(max <= livenessGoal)}`,
        ],
      ),
    ),
    searchTable(searches),
  ]
}

function indexingTable(indexing: CodeSearchFigures['indexing']): string {
  const { files, mebibytes, seconds, share, memory, processorSeconds } = indexing
  const rate = mebibytes / seconds
  const times = ['seconds', 'processor s', 'MiB/s', 'goal']
  return table(
    ['code that is indexed', ...times, 'index by text', 'goal', 'server MiB before', 'peak'],
    [
      [
        `${mebibytes.toFixed(0)} MiB in ${files} files`,
        ...[seconds, processorSeconds, rate].map(toTenths),
        `≥ ${rateGoal} ${reachedOrMissed(rate >= rateGoal)}`,
        percent(share),
        `≤ ${percent(shareGoal)} ${reachedOrMissed(share <= shareGoal)}`,
        ...[memory.before, memory.peak].map((size) => size.toFixed(0)),
      ],
    ],
  )
}

function searchTable(searches: CodeSearchFigures['searches']): string {
  const ours = ['files', 'first ms', 'again ms', 'goal']
  return table(
    ['search for a page of 20', ...ours, 'git grep ms', 'all by git grep ms', 'files'],
    searches.map(({ name, found, first, again, grep, grepAll }) => [
      name,
      String(found),
      ...[first, again].map(toTenths),
      `≤ ${searchGoal} ${reachedOrMissed(Math.max(first, again) <= searchGoal)}`,
      ...[grep.ms, grepAll.ms].map((ms) => ms.toFixed(0)),
      String(grepAll.files),
    ]),
  )
}
