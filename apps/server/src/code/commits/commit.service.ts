import { normalizePath, notFound } from '@stithy/core'
import {
  type Commit,
  type HistoryQuery,
  type ListedCommit,
  listCommits,
  listRefs,
  readCommit,
  readWholeCommit,
} from '@stithy/git'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'
import { resolveRef, type SourceRepository } from '../revisions/revision.service.ts'
import { type CountedRepository, totalAround } from './commit-count.service.ts'

/** Filters of a commit list; timestamps in milliseconds. */
export interface CommitFilter {
  ref_name?: string | undefined
  since?: number | undefined
  until?: number | undefined
  path?: string | undefined
  all?: boolean | undefined
  with_stats?: boolean | undefined
  first_parent?: boolean | undefined
}

/** Lists a history; empty for an unknown ref, an unknown path or an empty repository. */
export async function findCommits(
  app: App,
  project: SourceRepository & CountedRepository,
  filter: CommitFilter,
  { page, perPage }: PageRequest,
): Promise<Page<ListedCommit>> {
  const history = await historyOf(app, project, filter)
  if (history === undefined) return { items: [], total: 0, page, perPage }
  const repository = repositoryOf(app, project)
  const skip = (page - 1) * perPage
  const withStats = filter.with_stats ?? false
  const items = await listCommits(app.git, repository, {
    ...history,
    skip,
    limit: perPage,
    withStats,
    statsTimeoutMs: codeLimitsOf(app).stats.timeoutMs,
  })
  const found = items.length
  const total = await totalAround(app, project, history, { page, perPage, found })
  return { items, ...total, page, perPage }
}

/** The latest timestamp that git's command line accepts. */
const lastTimestamp = Date.UTC(9999, 11, 31)

async function historyOf(
  app: App,
  project: SourceRepository,
  filter: CommitFilter,
): Promise<HistoryQuery | undefined> {
  const tip = filter.all
    ? await allTips(app, project)
    : await resolveRef(app, project, filter.ref_name)
  const path = normalizePath(filter.path ?? '')
  if (tip === undefined || path === undefined) return undefined
  return {
    tip,
    ...(path === '' ? {} : { path }),
    ...(filter.since === undefined ? {} : { since: clampTimestamp(filter.since) }),
    ...(filter.until === undefined ? {} : { until: clampTimestamp(filter.until) }),
    ...(filter.first_parent ? { firstParent: true } : {}),
  }
}

function clampTimestamp(timestamp: number): Date {
  return new Date(Math.min(Math.max(timestamp, 0), lastTimestamp))
}

/** `all` if there is any ref to start from. */
async function allTips(app: App, project: SourceRepository): Promise<'all' | undefined> {
  const repository = repositoryOf(app, project)
  const heads = await listRefs(app.git, repository, 'heads')
  if (heads.length > 0) return 'all'
  return (await listRefs(app.git, repository, 'tags')).length > 0 ? 'all' : undefined
}

/**
 * Finds the commit of a hash, branch or tag.
 * @throws DomainError `not_found`.
 */
export async function requireCommit(
  app: App,
  project: SourceRepository,
  sha: string,
): Promise<Commit> {
  return requireRead(app, project, sha, readCommit)
}

/** Like `requireCommit`, with a message of up to 1 MiB. */
export async function requireWholeCommit(
  app: App,
  project: SourceRepository,
  sha: string,
): Promise<Commit> {
  return requireRead(app, project, sha, readWholeCommit)
}

async function requireRead(
  app: App,
  project: SourceRepository,
  sha: string,
  read: typeof readCommit,
): Promise<Commit> {
  const oid = sha === '' ? undefined : await resolveRef(app, project, sha)
  const commit = oid && (await read(app.git, repositoryOf(app, project), oid))
  if (!commit) throw notFound('Commit')
  return commit
}
