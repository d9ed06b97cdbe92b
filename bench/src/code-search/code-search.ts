import { median } from '../measure/pairs.ts'
import { type WaitsBeside, watchBoth } from '../measure/waits.ts'
import { startIdle, startStithy, type Target } from '../servers.ts'
import { rootToken } from '../transfers/sites.ts'
import {
  type CodesearchIndex,
  hasCodesearch,
  indexByCodesearch,
  searchByCodesearch,
} from './codesearch.ts'
import type { FilesFound } from './count-lines.ts'
import { gitGrep } from './git-grep.ts'
import { type Indexing, measureIndexing, removeIndex } from './indexing.ts'
import { buildSearchedData, buildTinyRepositories, type SearchedData } from './repositories.ts'
import { type MeasuredText, measuredTexts } from './texts.ts'

/** One search for a page of 20 files, by an administrator in everything. */
export interface TextSearch {
  name: string
  /** Files on the page. */
  found: number
  /** Milliseconds of the first request, and the median of the following ones. */
  first: number
  again: number
}

/** A search by other programs: for as many files and one more, and for all. */
export interface OtherSearch {
  name: string
  git: { page: FilesFound; all: FilesFound }
  codesearch?: { page: FilesFound; all: FilesFound }
}

/** What a server needed to index and to search. */
export interface ServerFigures {
  indexing: Indexing
  searches: TextSearch[]
  /** During the searches. */
  waits: WaitsBeside
}

export interface CodeSearchFigures extends ServerFigures {
  /** Of codesearch, if it is installed. */
  codesearch?: CodesearchIndex
  others: OtherSearch[]
}

const pageSize = 20
const headers = { 'private-token': rootToken }

/**
 * Indexes repositories of `mebibytes` together on a server that finds them at its start, and
 * searches them; then by other programs.
 */
export async function measureCodeSearch(
  mebibytes: number,
  rounds: number,
): Promise<CodeSearchFigures> {
  const data = await buildSearchedData(mebibytes)
  const own = await measureServer(data, measuredTexts, rounds)
  const codesearch = hasCodesearch ? await indexByCodesearch(data) : undefined
  const others: OtherSearch[] = []
  for (const text of measuredTexts) others.push(await measureOthers(data, text, codesearch))
  return { ...own, ...(codesearch === undefined ? {} : { codesearch }), others }
}

/** Indexes so many repositories of a few files each, and searches them. */
export async function measureTinyRepositories(
  repositories: number,
  rounds: number,
): Promise<ServerFigures> {
  return measureServer(await buildTinyRepositories(repositories), measuredTexts, rounds)
}

/** Indexes the data on a server that is started for it, and searches it. */
async function measureServer(
  data: SearchedData,
  texts: readonly MeasuredText[],
  rounds: number,
): Promise<ServerFigures> {
  await removeIndex(data)
  const idle = await startIdle()
  try {
    // Threads and git processes need the other core.
    const target = await startStithy(data.folder, { core: 'any' })
    try {
      const indexing = await measureIndexing(target, idle, data)
      const watch = await watchBoth(target, idle)
      const searches: TextSearch[] = []
      for (const text of texts) searches.push(await measureSearch(target, text, rounds))
      return { indexing, searches, waits: await watch.stop() }
    } finally {
      await target.stop()
    }
  } finally {
    await idle.stop()
  }
}

async function measureSearch(
  { url }: Target,
  { name, text, filter }: MeasuredText,
  rounds: number,
): Promise<TextSearch> {
  const search = filter === undefined ? text : `${text} ${filter}`
  const query = new URLSearchParams({ scope: 'blobs', search, per_page: String(pageSize) })
  const times: number[] = []
  let found = 0
  for (let round = 0; round <= rounds; round += 1) {
    const start = performance.now()
    const answer = await fetch(`${url}/api/v4/search?${query}`, { headers })
    const files = (await answer.json()) as unknown[]
    times.push(performance.now() - start)
    if (!answer.ok) throw new Error(`The search for ${text} answers ${answer.status}`)
    found = files.length
  }
  const [first = Number.NaN, ...others] = times
  return { name, found, first, again: median(others) }
}

async function measureOthers(
  { repositories }: SearchedData,
  text: MeasuredText,
  codesearch: CodesearchIndex | undefined,
): Promise<OtherSearch> {
  const git = {
    page: await gitGrep(repositories, text, pageSize),
    all: await gitGrep(repositories, text, Number.POSITIVE_INFINITY),
  }
  if (codesearch === undefined) return { name: text.name, git }
  const page = await searchByCodesearch(codesearch, text, pageSize)
  const all = await searchByCodesearch(codesearch, text, Number.POSITIVE_INFINITY)
  return { name: text.name, git, codesearch: { page, all } }
}
