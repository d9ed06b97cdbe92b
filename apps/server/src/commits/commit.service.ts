import { normalizePath, notFound } from '@stithy/core'
import {
  type Commit,
  type HistoryQuery,
  type ListedCommit,
  listCommits,
  listRefs,
  readCommit,
} from '@stithy/git'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../app.ts'
import { type CodePlace, repositoryOf, resolveRef } from '../repositories/repository.service.ts'
import { type CountedPlace, totalAround } from './commit-count.service.ts'

/** Which commits are asked for (document 2, Commits); instants in milliseconds. */
export interface CommitFilter {
  ref_name?: string | undefined
  since?: number | undefined
  until?: number | undefined
  path?: string | undefined
  all?: boolean | undefined
  with_stats?: boolean | undefined
  first_parent?: boolean | undefined
}

/** One page of a history; empty for an unknown ref, an unknown path or an empty repository. */
export async function findCommits(
  app: App,
  place: CodePlace & CountedPlace,
  filter: CommitFilter,
  { page, perPage }: PageRequest,
): Promise<Page<ListedCommit>> {
  const history = await historyOf(app, place, filter)
  if (history === undefined) return { items: [], total: 0, page, perPage }
  const repository = repositoryOf(app, place)
  const skip = (page - 1) * perPage
  const withStats = filter.with_stats ?? false
  const items = await listCommits(app.git, repository, {
    ...history,
    skip,
    limit: perPage,
    withStats,
  })
  const found = items.length
  const total = await totalAround(app, place, history, { page, perPage, found })
  return { items, total, page, perPage }
}

/** Instants that git's command line bears. */
const lastInstant = Date.UTC(9999, 11, 31)

async function historyOf(
  app: App,
  place: CodePlace,
  filter: CommitFilter,
): Promise<HistoryQuery | undefined> {
  const tip = filter.all ? await allTips(app, place) : await resolveRef(app, place, filter.ref_name)
  const path = normalizePath(filter.path ?? '')
  if (tip === undefined || path === undefined) return undefined
  return {
    tip,
    ...(path === '' ? {} : { path }),
    ...(filter.since === undefined ? {} : { since: clampInstant(filter.since) }),
    ...(filter.until === undefined ? {} : { until: clampInstant(filter.until) }),
    ...(filter.first_parent ? { firstParent: true } : {}),
  }
}

function clampInstant(instant: number): Date {
  return new Date(Math.min(Math.max(instant, 0), lastInstant))
}

/** `all` where there is any ref to start from. */
async function allTips(app: App, place: CodePlace): Promise<'all' | undefined> {
  const repository = repositoryOf(app, place)
  const heads = await listRefs(app.git, repository, 'heads')
  if (heads.length > 0) return 'all'
  return (await listRefs(app.git, repository, 'tags')).length > 0 ? 'all' : undefined
}

/**
 * The commit of a hash, branch or tag.
 * @throws DomainError `not_found`.
 */
export async function requireCommit(app: App, place: CodePlace, sha: string): Promise<Commit> {
  const oid = sha === '' ? undefined : await resolveRef(app, place, sha)
  const commit = oid && (await readCommit(app.git, repositoryOf(app, place), oid))
  if (!commit) throw notFound('Commit')
  return commit
}
