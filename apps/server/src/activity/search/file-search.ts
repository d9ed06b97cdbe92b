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
import { type FoundFile, keepContaining } from './found-file.ts'
import { readableOrNone } from './readable-or-none.ts'

/** A search of the files of repositories or wikis in the index. */
export interface FileSearch {
  engine: SearchEngine
  kind: SearchSourceKind
  scope: CodeSearchScope
  caller: Caller
  query: CodeQuery
  signal: AbortSignal
}

/** Files that are read together: a page at first, and more if they don't contain the text. */
const firstReads = 20
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
  { kind, query, ...search }: FileSearch,
  byPath: ReadonlySet<Candidate['id']>,
): AsyncGenerator<FoundFile, void> {
  const { text, matchesPath } = query
  const subject = `${kind}_texts` as const
  const { maxReads } = app.config.codeLimits.search
  let reads = 0
  let atOnce = firstReads
  for await (const rows of candidateBatches(app, { ...search, subject, text })) {
    const wanted = rows.filter((row) => !byPath.has(row.id) && matchesPath(foldCase(pathOf(row))))
    for (let at = 0; at < wanted.length && reads < maxReads; ) {
      search.signal.throwIfAborted()
      const some = wanted.slice(at, at + atOnce)
      at += some.length
      reads += some.length
      atOnce = Math.min(2 * atOnce, maxReadsAtOnce)
      for (const row of await keepRowsWith(app, kind, some, text)) yield foundFile(app, kind, row)
    }
  }
}

/** The files that contain the text: the index only says that they may. */
async function keepRowsWith(
  app: App,
  kind: SearchSourceKind,
  rows: readonly Candidate[],
  text: string,
): Promise<Candidate[]> {
  const byProject = Map.groupBy(rows, ({ projectId }) => projectId)
  const found = await Promise.all(
    [...byProject.values()].map(async (files) => {
      const [first] = files
      if (first === undefined) return []
      const oids = files.map(({ oid }) => oid)
      const repository = repositoryOfRow(app, kind, first)
      const reading = keepContaining(app, repository, oids, text)
      const having = await readableOrNone(app, repository, reading, new Set<string>())
      return files.filter(({ oid }) => having.has(oid))
    }),
  )
  const kept = new Set(found.flat())
  return rows.filter((row) => kept.has(row))
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
