import { setTimeout as delay } from 'node:timers/promises'
import { isOutdatedMergeStatus } from '@stithy/core'
import { findBranch, GitError, mergesCleanly } from '@stithy/git'
import {
  type CheckedMerge,
  findRepositories,
  type MergeRequestRow,
  type RepositoryRow,
  saveMergeChecks,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { addUnmergeableTodos } from './merge-request-todos.ts'

/** Milliseconds that one request may wait for trial merges, and how many run at a time. */
const maxWaitMs = 2000
const atOnce = 4

/**
 * Returns the merge requests with their `merge_status`, computed if a branch moved since it was
 * last known, and stores it. If that takes too long the rest stays `unchecked`, and the next reader
 * continues. At most three queries for any number of merge requests, and one more for each new
 * conflict, once.
 */
export async function withMergeStatus(
  app: App,
  stored: readonly MergeRequestRow[],
): Promise<readonly MergeRequestRow[]> {
  const rows = stored.map(withoutSource)
  const waiting = rows.filter(
    (row) => row.state === 'opened' && isOutdatedMergeStatus(row.mergeStatus),
  )
  if (waiting.length === 0) return rows
  const ids = waiting.flatMap((row) => [row.projectId, row.sourceProjectId ?? row.projectId])
  const found = await findRepositories(app.db, [...new Set(ids)])
  const repositories = new Map(found.map((repository) => [repository.id, repository]))
  const checks = await checkAll(app, waiting, repositories)
  if (checks.length === 0) return rows
  await save(app, waiting, checks)
  const results = new Map(checks.map(({ id, canBeMerged }) => [id, canBeMerged]))
  return rows.map((row) => {
    const canBeMerged = results.get(row.id)
    if (canBeMerged === undefined) return row
    return { ...row, mergeStatus: canBeMerged ? 'can_be_merged' : 'cannot_be_merged' }
  })
}

/** A closed merge request whose fork is gone cannot be merged, whatever was known before. */
function withoutSource(row: MergeRequestRow): MergeRequestRow {
  const isSourceless = row.state === 'closed' && row.sourceProjectId === null
  return isSourceless ? { ...row, mergeStatus: 'cannot_be_merged' } : row
}

/** Adds todos for the participants of a merge request that newly conflicts. */
async function save(
  app: App,
  rows: readonly MergeRequestRow[],
  checks: readonly CheckedMerge[],
): Promise<void> {
  const conflicting = new Set(checks.filter((it) => !it.canBeMerged).map(({ id }) => id))
  await app.db.transaction(async (tx) => {
    const saved = await saveMergeChecks(tx, checks)
    const news = rows.filter(
      ({ id, mergeStatus }) => mergeStatus === 'unchecked' && conflicting.has(id) && saved.has(id),
    )
    await addUnmergeableTodos(tx, news, app.now())
  })
}

async function checkAll(
  app: App,
  rows: readonly MergeRequestRow[],
  repositories: ReadonlyMap<number, RepositoryRow>,
): Promise<CheckedMerge[]> {
  const deadline = performance.now() + maxWaitMs
  const queue = [...rows]
  const checks: CheckedMerge[] = []
  const work = async () => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      if (performance.now() > deadline) return
      const { id, latestVersionId: versionId } = row
      const trial = tryMerge(app, row, repositories)
      const canBeMerged = await until(deadline, trial)
      if (canBeMerged === 'late') void saveLater(app, row, trial)
      else if (canBeMerged !== undefined) checks.push({ id, versionId, canBeMerged })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return checks
}

/** The result of a trial merge, unless it takes until the deadline. */
async function until(
  deadline: number,
  trial: Promise<boolean | undefined>,
): Promise<boolean | undefined | 'late'> {
  const waiting = new AbortController()
  const { signal } = waiting
  const ms = Math.max(0, deadline - performance.now())
  const late = delay(ms, 'late' as const, { signal, ref: false }).catch(() => 'late' as const)
  return Promise.race([trial, late]).finally(() => waiting.abort())
}

/** Stores the result of a trial merge that no reader waited for. */
async function saveLater(
  app: App,
  row: MergeRequestRow,
  trial: Promise<boolean | undefined>,
): Promise<void> {
  try {
    const canBeMerged = await trial
    if (canBeMerged === undefined) return
    await save(app, [row], [{ id: row.id, versionId: row.latestVersionId, canBeMerged }])
  } catch (err) {
    app.log.warn({ err, mergeRequest: row.id }, 'a late trial merge could not be stored')
  }
}

/** Undefined if it cannot be determined: git was too slow, or something is broken. */
async function tryMerge(
  app: App,
  row: MergeRequestRow,
  repositories: ReadonlyMap<number, RepositoryRow>,
): Promise<boolean | undefined> {
  const target = repositories.get(row.projectId)
  const source = repositories.get(row.sourceProjectId ?? 0)
  if (target === undefined || source === undefined) return false
  if (row.baseSha === null || row.baseSha === row.headSha) return false
  try {
    const branches = await Promise.all([
      findBranch(app.git, repositoryOf(app, target), row.targetBranch),
      findBranch(app.git, repositoryOf(app, source), row.sourceBranch),
    ])
    if (branches.includes(undefined)) return false
    return await mergesCleanly(app.git, repositoryOf(app, target), row.startSha, row.headSha)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    app.log.warn({ err: error, mergeRequest: row.id }, 'a trial merge failed')
    return undefined
  }
}
