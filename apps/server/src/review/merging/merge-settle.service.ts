import { findBranch, isAncestor, isNotFound } from '@stithy/git'
import {
  deleteMergeJob,
  enqueueJob,
  type Flag,
  findMergeRequestById,
  lockForMerge,
  type MergeRequestRow,
  type Transaction,
  unlockMerge,
} from '@stithy/store'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { loadItemForJob } from '../merge-requests/merge-request-for-job.ts'
import { recordMerge } from '../merge-requests/merge-request-merged.service.ts'
import { renewMergeRequest } from '../merge-requests/merge-request-renew.service.ts'
import { type PendingMerge, parsePendingMerge } from './pending-merge.ts'
import { removeSourceBranchKind, removesSourceBranch } from './source-branch.service.ts'

// Git moves the target branch, the database records the merge, and no transaction spans both. So
// the merge request is first locked with what it takes to finish, together with a job that is due
// later. If the process ends in between, the job finds out whether the branch has moved: then the
// merge request is merged, else it is opened again. Whether the branch has moved is also what
// decides in the process itself, so a job that is early does no harm.
export const settleMergeKind = 'merge-requests.settle'
const queue = 'pushes'

/** Milliseconds after which a merge counts as interrupted; more than it takes git to move a ref. */
export const mergeLeaseMs = 120_000

/** How a merge request is locked. */
export interface LockOptions {
  /** Null if the call does not say. */
  shouldRemoveSourceBranch: Flag | null
  squash: Flag
}

/**
 * Locks an open merge request for a merge, with a job that settles it after a crash. Returns the
 * id of the job; undefined if it is no longer open, or has a newer version.
 */
export async function lockMerge(
  app: App,
  { row }: MergeRequestItem,
  pending: PendingMerge,
  options: LockOptions,
): Promise<number | undefined> {
  const now = app.now()
  return app.db.transaction(async (tx) => {
    const locked = await lockForMerge(tx, {
      id: row.id,
      versionId: row.latestVersionId,
      pendingMerge: JSON.stringify(pending),
      ...options,
    })
    if (!locked) return undefined
    const payload = { id: row.id, key: pending.key }
    const runAt = now + mergeLeaseMs
    return enqueueJob(tx, { queue, kind: settleMergeKind, payload, runAt }, now)
  })
}

/** A merge whose target branch has moved. */
interface MovedMerge {
  item: MergeRequestItem
  pending: PendingMerge
  /** The job of the lock, which is no longer needed. */
  jobId?: number | undefined
  /** Milliseconds until the job is due that deletes the source branch. */
  removalDelayMs: number
}

/**
 * Marks an accepted merge request as merged; does nothing if it is already. Returns the id of the
 * job that deletes the source branch, if that is to be deleted.
 */
export async function finishMerge(app: App, merge: MovedMerge): Promise<number | undefined> {
  const { item, pending, jobId, removalDelayMs } = merge
  const now = app.now()
  const { userId, mergeCommitSha } = pending
  return app.db.transaction(async (tx) => {
    if (jobId !== undefined) await deleteMergeJob(tx, jobId)
    if (!(await recordMerge(tx, item, { userId, mergeCommitSha, now }))) return undefined
    if (!removesSourceBranch(item.row)) return undefined
    const payload = { id: item.row.id, userId }
    const runAt = now + removalDelayMs
    return enqueueJob(tx, { queue, kind: removeSourceBranchKind, payload, runAt }, now)
  })
}

/** A merge that did not move its target branch. */
interface FailedMerge {
  id: number
  pending: PendingMerge
  jobId?: number | undefined
  /** Null if it is tried again, or was interrupted. */
  mergeError: string | null
}

/** Opens a merge request again whose merge failed, and processes the pushes that it missed. */
export async function abandonMerge(app: App, failed: FailedMerge): Promise<void> {
  const { id, pending, jobId, mergeError } = failed
  const pendingMerge = JSON.stringify(pending)
  const unlock = async (tx: Transaction) => {
    if (jobId !== undefined) await deleteMergeJob(tx, jobId)
    return unlockMerge(tx, { id, pendingMerge, mergeError })
  }
  if (await app.db.transaction(unlock)) await renewMergeRequest(app, id)
}

/** Finishes or rolls back an interrupted merge. May be called at any time, any number of times. */
export async function settleMerge(app: App, id: number, key: string): Promise<void> {
  const row = await findMergeRequestById(app.db, id)
  if (row?.state !== 'locked') return
  const pending = parsePendingMerge(row.pendingMerge)
  if (pending?.key !== key) return
  const item = await loadItemForJob(app, row)
  if (item === undefined) return
  if (await hasMoved(app, item, pending))
    await finishMerge(app, { item, pending, removalDelayMs: 0 })
  else await abandonMerge(app, { id, pending, mergeError: null })
}

/** Whether the target branch has the commit of the merge. */
export async function hasMoved(
  app: App,
  { row, project }: { row: MergeRequestRow; project: MergeRequestItem['project'] },
  { after }: PendingMerge,
): Promise<boolean> {
  const repository = repositoryOf(app, project.row)
  const tip = await findBranch(app.git, repository, row.targetBranch)
  if (tip === undefined) return false
  try {
    return tip.oid === after || (await isAncestor(app.git, repository, after, tip.oid))
  } catch (error) {
    // The commit, which no ref ever reached, is gone.
    if (isNotFound(error)) return false
    throw error
  }
}
