import {
  type ContainingRef,
  commitStats,
  type DiffEntry,
  diffPage,
  emptyTreeOid,
  type ListedCommit,
  refsContaining,
} from '@stithy/git'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { slicePage } from '../../platform/http/slice-page.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'
import type { SourceRepository } from '../revisions/revision.service.ts'
import { requireCommit, requireWholeCommit } from './commit.service.ts'

/**
 * Finds a commit with its whole message and, on request, its stats, unless counting them exceeds a
 * limit.
 * @throws DomainError `not_found`.
 */
export async function showCommit(
  app: App,
  project: SourceRepository,
  sha: string,
  withStats: boolean,
): Promise<ListedCommit> {
  const commit = await requireWholeCommit(app, project, sha)
  if (!withStats) return commit
  const { timeoutMs } = codeLimitsOf(app).stats
  const stats = await commitStats(app.git, repositoryOf(app, project), commit.oid, timeoutMs)
  return stats === undefined ? commit : { ...commit, stats }
}

/**
 * Lists the files that a commit changes; the limits of a diff apply to each page.
 * @throws DomainError `not_found`.
 */
export async function listChanges(
  app: App,
  project: SourceRepository,
  sha: string,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Page<DiffEntry>> {
  const { oid, parents } = await requireCommit(app, project, sha)
  const { page, perPage } = request
  const part = { ...codeLimitsOf(app).diff, skip: (page - 1) * perPage, limit: perPage, signal }
  const from = parents[0] ?? emptyTreeOid
  const { entries, total } = await diffPage(app.git, repositoryOf(app, project), from, oid, part)
  return { items: entries, total, page, perPage }
}

/** Lists the branches, then tags, that contain a commit. @throws DomainError `not_found`. */
export async function listContainingRefs(
  app: App,
  project: SourceRepository,
  { sha, type }: { sha: string; type: 'branch' | 'tag' | 'all' },
  request: PageRequest,
): Promise<Page<ContainingRef>> {
  const { oid } = await requireCommit(app, project, sha)
  const refs = await refsContaining(app.git, repositoryOf(app, project), oid, type)
  return slicePage(refs, request)
}
