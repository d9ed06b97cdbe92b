import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { median } from '../measure/pairs.ts'
import { readMemory, readProcessorTime } from '../measure/processes.ts'
import { watchRequests } from '../review/liveness.ts'
import { startStithy, type Target } from '../servers.ts'
import { rootToken } from '../transfers/sites.ts'
import { type GrepResult, gitGrep } from './git-grep.ts'
import { buildSearchedData, type SearchedData } from './repositories.ts'
import { type MeasuredText, measuredTexts } from './texts.ts'

/** How long requests waited for their answers, in milliseconds. */
interface Waits {
  p50: number
  p99: number
  max: number
}

/** How the index of source-like text is made. */
interface Indexing {
  files: number
  /** Of text. */
  mebibytes: number
  seconds: number
  /** Seconds of processor time of the server and its git processes. */
  processorSeconds: number
  /** The size of the index as a share of the text. */
  share: number
  /** `GET /-/liveness`, asked every 10 ms meanwhile. */
  waits: Waits
  /** Resident MiB of the server: at the start, and the most meanwhile. */
  memory: { before: number; peak: number }
}

/** One search for a page of 20 files, by an administrator in everything. */
interface TextSearch {
  name: string
  /** Files on the page. */
  found: number
  /** Milliseconds of the first request, and the median of the following ones. */
  first: number
  again: number
  /** `git grep` for as many files and one more, and for all. */
  grep: GrepResult
  grepAll: GrepResult
}

export interface CodeSearchFigures {
  indexing: Indexing
  searches: TextSearch[]
  /** `GET /-/liveness` during the searches. */
  waits: Waits
}

const pageSize = 20
const headers = { 'private-token': rootToken }

/**
 * Indexes repositories of `mebibytes` together on a server that finds them at its start, and
 * searches them.
 */
export async function measureCodeSearch(
  mebibytes: number,
  rounds: number,
): Promise<CodeSearchFigures> {
  const data = await buildSearchedData(mebibytes)
  await removeIndex(data)
  // Threads and git processes need the other core.
  const target = await startStithy(data.folder, { core: 'any' })
  try {
    const indexing = await measureIndexing(target, data)
    const watch = await watchRequests(`${target.url}/-/liveness`)
    const found: Omit<TextSearch, 'grep' | 'grepAll'>[] = []
    for (const text of measuredTexts) found.push(await measureSearch(target, text, rounds))
    const waits = waitsOf(await watch.stop())
    const searches: TextSearch[] = []
    for (const [position, text] of measuredTexts.entries()) {
      const grep = await gitGrep(data.repositories, text, pageSize)
      const grepAll = await gitGrep(data.repositories, text, Number.POSITIVE_INFINITY)
      const figures = found[position]
      if (figures !== undefined) searches.push({ ...figures, grep, grepAll })
    }
    return { indexing, searches, waits }
  } finally {
    await target.stop()
  }
}

function indexOf({ folder }: SearchedData): string {
  return join(folder, 'stithy-search.db')
}

async function removeIndex(data: SearchedData): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(indexOf(data) + end, { force: true })
}

async function measureIndexing(target: Target, data: SearchedData): Promise<Indexing> {
  const started = performance.now()
  const processorTime = readProcessorTime(target.pid)
  const before = readMemory(target.pid).server
  let peak = before
  const watch = await watchRequests(`${target.url}/-/liveness`)
  const index = new Sqlite(indexOf(data), { readonly: true })
  const current = index.prepare<[], { count: number }>(
    `select count(*) as count from "searchSources"
     where kind = 'code' and revision is not null and target is null`,
  )
  try {
    while ((current.get()?.count ?? 0) < data.repositories.length) {
      await delay(100)
      peak = Math.max(peak, readMemory(target.pid).server)
    }
  } finally {
    index.close()
  }
  const seconds = (performance.now() - started) / 1000
  const waits = waitsOf(await watch.stop())
  return {
    files: data.files,
    mebibytes: data.bytes / 1024 / 1024,
    seconds,
    processorSeconds: readProcessorTime(target.pid) - processorTime,
    share: (await stat(indexOf(data))).size / data.bytes,
    waits,
    memory: { before, peak },
  }
}

async function measureSearch(
  { url }: Target,
  { name, text, filter }: MeasuredText,
  rounds: number,
): Promise<Omit<TextSearch, 'grep' | 'grepAll'>> {
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

function waitsOf(waits: readonly number[]): Waits {
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
