import type { CodeQuery } from '@stithy/core'
import { readHead } from '@stithy/git'
import type { CodeSearchScope, SearchSourceKind } from '@stithy/store'
import { wikiRepositoryOf } from '../../code/wikis/wiki-repository.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import type { Candidate, SearchEngine } from '../search-engine/search-engine.ts'
import { searchedPath } from '../search-index/searched-text.ts'
import { candidateBatches } from './candidates.ts'
import { containsText, type FoundFile } from './found-file.ts'

/** A search of the files of repositories or wikis in the index. */
export interface FileSearch {
  engine: SearchEngine
  kind: SearchSourceKind
  scope: CodeSearchScope
  caller: Caller
  query: CodeQuery
  signal: AbortSignal
}

/** Files that are read at the same time. */
const readAtOnce = 10

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
      return searchedPath(kind, path).includes(text) && matchesPath(path.toLowerCase())
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
  for await (const rows of candidateBatches(app, { ...search, subject, text })) {
    const wanted = rows.filter(
      (row) => !byPath.has(row.id) && matchesPath(pathOf(row).toLowerCase()),
    )
    for (let at = 0; at < wanted.length && reads < maxReads; at += readAtOnce) {
      const some = wanted.slice(at, at + readAtOnce)
      const files = await Promise.all(some.map((row) => fileWith(app, kind, row, text)))
      reads += some.length
      yield* files.filter((file) => file !== undefined)
    }
  }
}

/** The file, if it contains the text: the index only says that it has the trigrams. */
async function fileWith(
  app: App,
  kind: SearchSourceKind,
  row: Candidate,
  text: string,
): Promise<FoundFile | undefined> {
  const isFound = await containsText(app, repositoryOfRow(app, kind, row), row.oid, text)
  return isFound ? foundFile(app, kind, row) : undefined
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
