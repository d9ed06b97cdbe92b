import {
  type Commit,
  type ContainingRef,
  commitStats,
  type DiffEntry,
  diffPage,
  emptyTreeOid,
  type ListedCommit,
  refsContaining,
} from '@stithy/git'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../app.ts'
import { type CodePlace, repositoryOf, slicePage } from '../repositories/repository.service.ts'
import { requireCommit } from './commit.service.ts'

/** A commit, with its stats where they are asked for. @throws DomainError `not_found`. */
export async function showCommit(
  app: App,
  place: CodePlace,
  sha: string,
  withStats: boolean,
): Promise<ListedCommit> {
  const commit: Commit = await requireCommit(app, place, sha)
  if (!withStats) return commit
  return { ...commit, stats: await commitStats(app.git, repositoryOf(app, place), commit.oid) }
}

/**
 * One page of the files that a commit changes; the limits of a diff hold for each page.
 * @throws DomainError `not_found`.
 */
export async function listChanges(
  app: App,
  place: CodePlace,
  sha: string,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Page<DiffEntry>> {
  const { oid, parents } = await requireCommit(app, place, sha)
  const { page, perPage } = request
  const part = { ...app.config.codeLimits.diff, skip: (page - 1) * perPage, limit: perPage, signal }
  const from = parents[0] ?? emptyTreeOid
  const { entries, total } = await diffPage(app.git, repositoryOf(app, place), from, oid, part)
  return { items: entries, total, page, perPage }
}

/** One page of the branches, then tags, that contain a commit. @throws DomainError `not_found`. */
export async function listContainingRefs(
  app: App,
  place: CodePlace,
  { sha, type }: { sha: string; type: 'branch' | 'tag' | 'all' },
  request: PageRequest,
): Promise<Page<ContainingRef>> {
  const { oid } = await requireCommit(app, place, sha)
  const refs = await refsContaining(app.git, repositoryOf(app, place), oid, type)
  return slicePage(refs, request)
}
