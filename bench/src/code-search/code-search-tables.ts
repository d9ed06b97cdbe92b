import { waitsTable } from '../measure/waits-table.ts'
import { percent, reachedOrMissed, table, toTenths } from '../tables.ts'
import type { CodeSearchFigures, OtherSearch, ServerFigures, TextSearch } from './code-search.ts'
import type { FilesFound } from './count-lines.ts'
import type { Indexing } from './indexing.ts'

/** MiB a second. */
const rateGoal = 10
/** The size of the index as a share of the text. */
const shareGoal = 1.2
/** Milliseconds of a search. */
const searchGoal = 150

/** The figures of the search of code as Markdown tables. */
export function codeSearchTables(figures: CodeSearchFigures): string[] {
  const { indexing, searches, waits, codesearch, others } = figures
  return [
    indexingTable(indexing, rateGoal),
    ...(codesearch === undefined
      ? []
      : [
          table(
            ['index of codesearch', 'MiB/s', 'index by text'],
            [
              [
                `${codesearch.seconds.toFixed(1)} s`,
                toTenths(indexing.mebibytes / codesearch.seconds),
                percent(codesearch.share),
              ],
            ],
          ),
        ]),
    waitsTable({ indexing: indexing.waits, searches: waits }),
    searchTable(searches, others),
  ]
}

/** The same figures of many tiny repositories, if they were measured. */
export function tinyRepositoriesTables(figures: ServerFigures | undefined): string[] {
  if (figures === undefined) return []
  const { indexing, searches, waits } = figures
  return [
    indexingTable(indexing),
    waitsTable({ indexing: indexing.waits, searches: waits }),
    searchTable(searches, []),
  ]
}

/** A rate in MiB says little of tiny repositories: they have no goal for it. */
function indexingTable(indexing: Indexing, goal?: number): string {
  const { repositories, files, mebibytes, seconds, processorSeconds, share, memory } = indexing
  const rate = mebibytes / seconds
  return table(
    [
      ...['code that is indexed', 'seconds', 'processor s', 'MiB/s', 'goal', 'files/s'],
      ...['index by text', 'goal', 'server MiB before', 'peak', 'git MiB, peak'],
    ],
    [
      [
        `${mebibytes.toFixed(0)} MiB in ${files} files of ${repositories} repositories`,
        ...[seconds, processorSeconds, rate].map(toTenths),
        goal === undefined ? 'none' : `≥ ${goal} ${reachedOrMissed(rate >= goal)}`,
        (files / seconds).toFixed(0),
        percent(share),
        `≤ ${percent(shareGoal)} ${reachedOrMissed(share <= shareGoal)}`,
        ...[memory.before, memory.peak, memory.gitPeak].map((size) => size.toFixed(0)),
      ],
    ],
  )
}

function searchTable(searches: readonly TextSearch[], others: readonly OtherSearch[]): string {
  const programs = ['git grep', ...(others.some(({ codesearch }) => codesearch) ? ['csearch'] : [])]
  return table(
    [
      ...['search for a page of 20', 'files', 'first ms', 'again ms', 'goal'],
      ...(others.length === 0 ? [] : programs).flatMap((program) => [
        `${program} ms`,
        `all by ${program} ms`,
        'files',
      ]),
    ],
    searches.map(({ name, found, first, again }) => [
      name,
      String(found),
      ...[first, again].map(toTenths),
      `≤ ${searchGoal} ${reachedOrMissed(Math.max(first, again) <= searchGoal)}`,
      ...others.filter((other) => other.name === name).flatMap(otherCells),
    ]),
  )
}

function otherCells({ git, codesearch }: OtherSearch): string[] {
  const cells = ({ page, all }: { page: FilesFound; all: FilesFound }) => [
    ...[page.ms, all.ms].map((ms) => ms.toFixed(0)),
    String(all.files),
  ]
  return [...cells(git), ...(codesearch === undefined ? [] : cells(codesearch))]
}
