import { type FoundCommit, foldCase } from '@stithy/core'
import { type Commit, readCommit } from '@stithy/git'
import type { CodeSearchScope } from '@stithy/store'
import { presentCommit } from '../../code/commits/commit.presenter.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import type { Candidate, SearchEngine } from '../search-engine/search-engine.ts'
import { candidateBatches, type IndexSearch } from './candidates.ts'
import { readableOrNone } from './readable-or-none.ts'

/** A search of the commits of default branches in the index. */
export interface CommitSearch {
  engine: SearchEngine
  scope: CodeSearchScope
  caller: Caller
  /** In lower case. */
  text: string
  signal: AbortSignal
}

/** Commits that are read at the same time. */
const readAtOnce = 20

/** Finds commits by the start of their id, and by their message; the newest first. */
export async function* findCommits(
  app: App,
  search: CommitSearch,
): AsyncGenerator<FoundCommit, void> {
  const { text } = search
  const byId = new Set<string>()
  if (isIdPrefix(text)) {
    for await (const found of commitsOf(app, { ...search, subject: 'commit_ids' })) {
      byId.add(found.id)
      yield found
    }
  }
  for await (const found of commitsOf(app, { ...search, subject: 'commits' })) {
    if (!byId.has(found.id) && foldCase(found.message).includes(text)) yield found
  }
}

/** Whether a text may be the start of a commit id that is long enough to name one. */
export function isIdPrefix(text: string): boolean {
  return /^[0-9a-f]{7,40}$/.test(text)
}

async function* commitsOf(app: App, search: IndexSearch): AsyncGenerator<FoundCommit, void> {
  const { maxReads } = app.config.codeLimits.search
  let reads = 0
  for await (const rows of candidateBatches(app, search)) {
    for (let at = 0; at < rows.length && reads < maxReads; at += readAtOnce) {
      const some = rows.slice(at, at + readAtOnce)
      const commits = await Promise.all(some.map((row) => readCommitOf(app, row)))
      reads += some.length
      for (const [index, { projectId }] of some.entries()) {
        const commit = commits[index]
        if (commit !== undefined) yield presentFoundCommit(commit, projectId)
      }
    }
  }
}

function readCommitOf(app: App, row: Candidate): Promise<Commit | undefined> {
  const repository = repositoryOf(app, row)
  const reading = readCommit(app.git, repository, row.oid)
  return readableOrNone(app, repository, reading, undefined)
}

export function presentFoundCommit(commit: Commit, projectId: number): FoundCommit {
  return { ...presentCommit(commit), project_id: projectId }
}
