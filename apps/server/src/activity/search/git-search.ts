import { type CodeQuery, type FoundCommit, foldCase } from '@stithy/core'
import {
  type Commit,
  changedBlobs,
  findEntry,
  grepCommits,
  grepFiles,
  type Repository,
  readCommit,
  resolveCommit,
} from '@stithy/git'
import type { SearchSourceKind } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { searchedPath } from '../search-index/searched-text.ts'
import { isIdPrefix, presentFoundCommit } from './commit-search.ts'
import { excerptsOf, type FoundFile } from './found-file.ts'

/** The commit of a repository that is searched. */
export interface SearchedCommit {
  projectId: number
  kind: SearchSourceKind
  repository: Repository
  /** The branch, or what was asked for. */
  ref: string
  /** Full id. */
  commit: string
  /** Whether it is that of the default branch. */
  isHead: boolean
}

/** Finds files at a commit by their path, and after them those by their contents, by git alone. */
export async function* findFilesByGit(
  app: App,
  { query, signal, ...at }: SearchedCommit & { query: CodeQuery; signal: AbortSignal },
): AsyncGenerator<FoundFile, void> {
  const { projectId, kind, repository, ref, commit } = at
  const { text, matchesPath } = query
  const byPath = new Set<string>()
  const listing = changedBlobs(app.git, repository, { from: null, to: commit, signal })
  for await (const blobs of listing) {
    for (const { path, oid } of blobs) {
      if (oid === null || !searchedPath(kind, path).includes(text)) continue
      if (!matchesPath(foldCase(path))) continue
      byPath.add(path)
      yield { projectId, repository, ref, path, oid }
    }
  }
  if (text === '') return
  const { maxReads: limit, timeoutMs } = app.config.codeLimits.search
  const search = { commit, text, ignoreCase: true, limit, timeoutMs, partial: true, signal }
  for (const path of await grepFiles(app.git, repository, search)) {
    if (byPath.has(path) || !matchesPath(foldCase(path))) continue
    const oid = (await findEntry(app.git, repository, commit, path))?.oid
    // Git searches large files too, which the index leaves out.
    if (oid === undefined) continue
    const excerpt = (await excerptsOf(app, repository, [oid], text)).get(oid)
    if (excerpt !== undefined) yield { projectId, repository, ref, path, oid, excerpt }
  }
}

/** Finds commits by the start of their id, and by their message, by git alone; the newest first. */
export async function* findCommitsByGit(
  app: App,
  { text, signal, ...at }: SearchedCommit & { text: string; signal: AbortSignal },
): AsyncGenerator<FoundCommit, void> {
  const { projectId, repository, commit } = at
  const present = (found: Commit) => presentFoundCommit(found, projectId)
  const named = await findByIdPrefix(app, repository, text)
  if (named !== undefined) yield present(named)
  const { maxResults: limit, timeoutMs } = app.config.codeLimits.search
  const search = { commit, text, ignoreCase: true, limit, timeoutMs, signal }
  for (const found of await grepCommits(app.git, repository, search)) {
    if (found.oid !== named?.oid) yield present(found)
  }
}

async function findByIdPrefix(
  { git }: App,
  repository: Repository,
  text: string,
): Promise<Commit | undefined> {
  const oid = isIdPrefix(text) ? await resolveCommit(git, repository, text) : undefined
  return oid === undefined ? undefined : readCommit(git, repository, oid)
}
