import { findBranch, findMergeOf, isAncestor, isNotFound, listRangeIds } from '@stithy/git'
import {
  deleteClosings,
  findMergeRequestById,
  findRepository,
  type Merge,
  type MergeRequestRow,
  saveMerge,
  type Transaction,
} from '@stithy/store'
import { existingActor } from '../../directory/users/ghost.service.ts'
import { withColumns } from '../../planning/items/changes/work-item-type.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { loadItemForJob } from './merge-request-for-job.ts'
import { renewMergeRequest } from './merge-request-renew.service.ts'
import type { PushedBranch } from './pushed-branch.ts'

/**
 * New commits of a push that are held in memory; with more, each merge request is checked
 * separately.
 */
const maxListed = 10_000

/** Whether the push added a commit to the branch. */
type IsNew = (oid: string) => Promise<boolean>

/**
 * Marks open merge requests into a pushed branch as merged if their head is among its new commits:
 * the last known head, or the current tip of the source branch.
 */
export async function markMergedByPush(
  app: App,
  pushed: PushedBranch,
  incoming: readonly MergeRequestRow[],
): Promise<void> {
  // A merge request without commits cannot be merged by a push.
  const candidates = incoming.filter(({ headSha, baseSha }) => headSha !== baseSha)
  if (candidates.length === 0) return
  const isNew = await newCommits(app, pushed)
  if (isNew === undefined) return
  for (const request of candidates) {
    const tip = await sourceTip(app, request)
    if (tip !== undefined && tip !== request.headSha && (await isNew(tip))) {
      await renewMergeRequest(app, request.id)
      await saveMergedByPush(app, pushed, request.id, tip)
    } else if (await isNew(request.headSha)) {
      await saveMergedByPush(app, pushed, request.id, request.headSha)
    }
  }
}

/** Undefined if the branch has no new commits, or they were removed again. */
async function newCommits(app: App, { project, update }: PushedBranch): Promise<IsNew | undefined> {
  const { before, after } = update
  if (after === null) return undefined
  const repository = repositoryOf(app, project)
  const range = { tip: after, ...(before === null ? {} : { notReachableFrom: before }) }
  try {
    const listed = await listRangeIds(app.git, repository, { ...range, limit: maxListed + 1 })
    const known = new Set(listed)
    if (listed.length <= maxListed) return async (oid) => known.has(oid)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
  const has = async (oid: string, tip: string) => {
    try {
      return await isAncestor(app.git, repository, oid, tip)
    } catch (error) {
      // The head of a fork that the target does not have.
      if (isNotFound(error)) return false
      throw error
    }
  }
  return async (oid) => (await has(oid, after)) && (before === null || !(await has(oid, before)))
}

async function sourceTip(app: App, request: MergeRequestRow): Promise<string | undefined> {
  const { sourceProjectId, sourceBranch } = request
  if (sourceProjectId === null) return undefined
  const source = await findRepository(app.db, sourceProjectId)
  return source && (await findBranch(app.git, repositoryOf(app, source), sourceBranch))?.oid
}

/** Marks a merge request as merged by the pusher, with its event; does nothing if it is already. */
async function saveMergedByPush(
  app: App,
  { project, update, actorId }: PushedBranch,
  id: number,
  headSha: string,
): Promise<void> {
  const request = await findMergeRequestById(app.db, id)
  if (request?.state !== 'opened' || request.headSha !== headSha || update.after === null) return
  const entryCommit = await findMergeOf(app.git, repositoryOf(app, project), {
    commit: headSha,
    tip: update.after,
    ...(update.before === null ? {} : { before: update.before }),
  })
  // A fast-forwarded branch has no merge commit.
  const mergeCommitSha = entryCommit === undefined || entryCommit === headSha ? null : entryCommit
  const { latestVersionId: versionId } = request
  const item = await loadItemForJob(app, request)
  if (item === undefined) return
  const now = app.now()
  await app.db.transaction((tx) =>
    recordMerge(tx, item, { versionId, userId: actorId, mergeCommitSha, now }),
  )
}

/**
 * Marks a merge request as merged with all that follows, whether a push or a call merged it; false
 * if `saveMerge` says so.
 */
export async function recordMerge(
  tx: Transaction,
  item: MergeRequestItem,
  merge: Omit<Merge, 'id' | 'userId'> & { userId: number },
): Promise<boolean> {
  const { id } = item.row
  const { now, mergeCommitSha } = merge
  const userId = await existingActor(tx, merge.userId, now)
  if (!(await saveMerge(tx, { id, ...merge, userId }))) return false
  await deleteClosings(tx, [id])
  const merged = withColumns(item, {
    ...({ state: 'merged', mergeCommitSha, mergedById: userId } as const),
    mergedAt: now,
    updatedAt: now,
  })
  const by = { userId, at: now, now }
  const notes = [{ action: 'merged' }] as const
  await recordChange(tx, { kind: 'merge_request.merged', ...by, before: item, item: merged, notes })
  return true
}
