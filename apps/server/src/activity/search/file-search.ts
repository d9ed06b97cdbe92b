import { type CodeQuery, foldCase } from '@stithy/core'
import { readHead } from '@stithy/git'
import type { CodeSearchScope, SearchSourceKind } from '@stithy/store'
import { wikiRepositoryOf } from '../../code/wikis/wiki-repository.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import type { Candidate, SearchEngine } from '../search-engine/search-engine.ts'
import { searchedPath } from '../search-index/searched-text.ts'
import { candidateBatches } from './candidates.ts'
import type { Excerpt } from './excerpt.ts'
import { excerptsOf, type FoundFile } from './found-file.ts'
import { readableOrNone } from './readable-or-none.ts'

/** A search of the files of repositories or wikis in the index. */
export interface FileSearch {
  engine: SearchEngine
  kind: SearchSourceKind
  scope: CodeSearchScope
  caller: Caller
  query: CodeQuery
  /** How many files are taken at most: no others need be read. */
  needed: number
  signal: AbortSignal
}

const maxReadsAtOnce = 100

/** Finds files by their path, and after them those by their contents; the newest first. */
export async function* findFiles(app: App, search: FileSearch): AsyncGenerator<FoundFile, void> {
  const byPath = new Set<Candidate['id']>()
  for await (const row of filesByPath(app, search)) {
    byPath.add(row.id)
    yield await foundFile(app, search.kind, row)
  }
  if (search.query.text !== '') yield* filesByText(app, search, byPath)
}

async function* filesByPath(
  app: App,
  { kind, query, ...search }: FileSearch,
): AsyncGenerator<Candidate, void> {
  const { text, matchesPath } = query
  const subject = `${kind}_paths` as const
  for await (const rows of candidateBatches(app, { ...search, subject, text })) {
    yield* rows.filter((row) => {
      const path = pathOf(row)
      return searchedPath(kind, path).includes(text) && matchesPath(foldCase(path))
    })
  }
}

async function* filesByText(
  app: App,
  { kind, query, needed, ...search }: FileSearch,
  byPath: ReadonlySet<Candidate['id']>,
): AsyncGenerator<FoundFile, void> {
  const { text, matchesPath } = query
  const subject = `${kind}_texts` as const
  const { maxReads } = app.config.codeLimits.search
  let reads = 0
  let missing = needed - byPath.size
  let atOnce = missing
  for await (const rows of candidateBatches(app, { ...search, subject, text })) {
    const wanted = rows.filter((row) => !byPath.has(row.id) && matchesPath(foldCase(pathOf(row))))
    for (let at = 0; at < wanted.length && reads < maxReads; ) {
      search.signal.throwIfAborted()
      const some = wanted.slice(at, at + Math.min(Math.max(atOnce, 1), maxReadsAtOnce))
      at += some.length
      reads += some.length
      const found = await excerptsOfRows(app, kind, some, text)
      missing -= found.size
      // If most of them contain the text, few more are read.
      atOnce = 2 * found.size < some.length ? 2 * atOnce : missing
      for (const [row, excerpt] of found) yield { ...(await foundFile(app, kind, row)), excerpt }
    }
  }
}

/** The files that contain the text: the index only says that they may. */
async function excerptsOfRows(
  app: App,
  kind: SearchSourceKind,
  rows: readonly Candidate[],
  text: string,
): Promise<Map<Candidate, Excerpt>> {
  const byProject = Map.groupBy(rows, ({ projectId }) => projectId)
  const excerpts = new Map<Candidate, Excerpt>()
  await Promise.all(
    [...byProject.values()].map(async (files) => {
      const [first] = files
      if (first === undefined) return
      const oids = files.map(({ oid }) => oid)
      const repository = repositoryOfRow(app, kind, first)
      const reading = excerptsOf(app, repository, oids, text)
      const found = await readableOrNone(app, repository, reading, new Map<string, Excerpt>())
      for (const file of files) {
        const excerpt = found.get(file.oid)
        if (excerpt !== undefined) excerpts.set(file, excerpt)
      }
    }),
  )
  const inOrder = rows.flatMap((row) => {
    const excerpt = excerpts.get(row)
    return excerpt === undefined ? [] : [[row, excerpt] as const]
  })
  return new Map(inOrder)
}

async function foundFile(app: App, kind: SearchSourceKind, row: Candidate): Promise<FoundFile> {
  const { projectId, oid, defaultBranch } = row
  const repository = repositoryOfRow(app, kind, row)
  const branch = kind === 'code' ? defaultBranch : await readHead(repository).catch(() => undefined)
  return { projectId, repository, ref: branch ?? '', path: pathOf(row), oid }
}

function repositoryOfRow(app: App, kind: SearchSourceKind, row: Candidate) {
  return kind === 'code' ? repositoryOf(app, row) : wikiRepositoryOf(app, row)
}

function pathOf({ path }: Candidate): string {
  return path ?? ''
}
