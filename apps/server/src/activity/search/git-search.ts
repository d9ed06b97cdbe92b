import type { CodeQuery, FoundCommit } from '@stithy/core'
import {
  changedBlobs,
  findEntry,
  grepCommits,
  grepFiles,
  readCommit,
  type Repository,
  resolveCommit,
} from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { isIdPrefix, presentFoundCommit } from './commit-search.ts'
import type { FoundFile } from './found-file.ts'

/** The commit of a repository that is searched. */
export interface SearchedCommit {
  projectId: number
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
  const { projectId, repository, ref, commit } = at
  const { text, matchesPath } = query
  const byPath = new Set<string>()
  const listing = changedBlobs(app.git, repository, { from: null, to: commit, signal })
  for await (const blobs of listing) {
    for (const { path, oid } of blobs) {
      const lower = path.toLowerCase()
      if (oid === null || !lower.includes(text) || !matchesPath(lower)) continue
      byPath.add(path)
      yield { projectId, repository, ref, path, oid }
    }
  }
  if (text === '') return
  const found = await grepFiles(app.git, repository, {
    commit,
    text,
    // The filters leave some of them.
    limit: app.config.codeLimits.search.maxReads,
    signal,
  })
  for (const { path } of found) {
    if (byPath.has(path) || !matchesPath(path.toLowerCase())) continue
    const entry = await findEntry(app.git, repository, commit, path)
    if (entry !== undefined) yield { projectId, repository, ref, path, oid: entry.oid }
  }
}

/** Finds commits by the start of their id, and by their message, by git alone; the newest first. */
export async function* findCommitsByGit(
  app: App,
  { text, signal, ...at }: SearchedCommit & { text: string; signal: AbortSignal },
): AsyncGenerator<FoundCommit, void> {
  const { projectId, repository, commit } = at
  const read = async (oid: string) => {
    const found = await readCommit(app.git, repository, oid)
    return found && presentFoundCommit(found, projectId)
  }
  const named = isIdPrefix(text) ? await resolveCommit(app.git, repository, text) : undefined
  if (named !== undefined) {
    const found = await read(named)
    if (found !== undefined) yield found
  }
  const limit = app.config.codeLimits.search.maxResults
  const oids = await grepCommits(app.git, repository, { commit, text, limit, signal })
  for (const oid of oids) {
    const found = oid === named ? undefined : await read(oid)
    if (found !== undefined) yield found
  }
}
