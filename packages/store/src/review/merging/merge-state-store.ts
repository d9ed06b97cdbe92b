import {
  type MergeRequestRow,
  mergeRequestColumns,
} from '../../planning/items/merge-request-row.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import type { Flag } from '../../platform/schema/flag.ts'

/** A merge that is about to move the target branch. */
export interface MergeLock {
  id: number
  /** The version that is merged. */
  versionId: number
  /** What is needed to finish the merge, in JSON; unique to this attempt. */
  pendingMerge: string
  shouldRemoveSourceBranch: Flag | null
  squash: Flag
}

/**
 * Locks an open merge request for a merge; false if it is not open, or has another version. It
 * stays locked beyond the transaction, until it is merged or `unlockMerge` opens it again.
 */
export async function lockForMerge(tx: Transaction, lock: MergeLock): Promise<boolean> {
  const locked = await tx.first('merging.lock', lock, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({
        state: 'locked',
        pendingMerge: $('pendingMerge'),
        shouldRemoveSourceBranch: $('shouldRemoveSourceBranch'),
        squash: $('squash'),
        mergeError: null,
      })
      .where('id', '=', $('id'))
      .where('latestVersionId', '=', $('versionId'))
      .where('state', '=', 'opened')
      .returning('projectId'),
  )
  return touched(tx, locked)
}

/** Opens a merge request whose merge failed again; false if this attempt no longer locks it. */
export async function unlockMerge(
  tx: Transaction,
  lock: { id: number; pendingMerge: string; mergeError: string | null },
): Promise<boolean> {
  const opened = await tx.first('merging.unlock', lock, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ state: 'opened', pendingMerge: null, mergeError: $('mergeError') })
      .where('id', '=', $('id'))
      .where('pendingMerge', '=', $('pendingMerge'))
      .where('state', '=', 'locked')
      .returning('projectId'),
  )
  return touched(tx, opened)
}

function touched(tx: Transaction, changed: { projectId: number } | undefined): boolean {
  if (changed === undefined) return false
  touchStamp(tx, stampOf('mergeRequests', changed.projectId))
  return true
}

/** Deletes a job that would finish an interrupted merge, unless a worker runs it already. */
export async function deleteMergeJob(q: Queries, id: number): Promise<void> {
  await q.run('merging.deleteJob', { id }, (db, $) =>
    db.deleteFrom('jobs').where('id', '=', $('id')).where('state', '=', 'queued'),
  )
}

/** A rebase of the source branch that was started at a time, in milliseconds. */
export interface RebaseKey {
  id: number
  startedAt: number
}

/**
 * Marks the source branch of an open merge request as being rebased; false if it is not open, or a
 * rebase that was started after `abandonedBefore` is running.
 */
export async function startRebase(
  tx: Transaction,
  rebase: RebaseKey & { abandonedBefore: number },
): Promise<boolean> {
  const { changes } = await tx.run('merging.startRebase', rebase, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ rebaseStartedAt: $('startedAt'), rebasedSha: null, mergeError: null })
      .where('id', '=', $('id'))
      .where('state', '=', 'opened')
      .where((eb) =>
        eb.or([
          eb('rebaseStartedAt', 'is', null),
          eb('rebaseStartedAt', '<', $('abandonedBefore')),
        ]),
      ),
  )
  return changes > 0
}

/**
 * Notes the head that a rebase made of the one that the merge request has, which keeps its
 * approvals; without effect if that is another, since what was pushed needs a review.
 */
export async function noteRebase(
  q: Queries,
  rebase: RebaseKey & { headSha: string; rebasedSha: string },
): Promise<void> {
  await q.run('merging.noteRebase', rebase, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ rebasedSha: $('rebasedSha') })
      .where('id', '=', $('id'))
      .where('rebaseStartedAt', '=', $('startedAt'))
      .where('headSha', '=', $('headSha')),
  )
}

/** Ends a rebase, with the reason if it failed. */
export async function finishRebase(
  tx: Transaction,
  rebase: RebaseKey & { mergeError: string | null },
): Promise<void> {
  await tx.run('merging.finishRebase', rebase, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ rebaseStartedAt: null, rebasedSha: null, mergeError: $('mergeError') })
      .where('id', '=', $('id'))
      .where('rebaseStartedAt', '=', $('startedAt')),
  )
}

/** The commit of a branch whose pipeline has succeeded. */
export interface PassedCommit {
  projectId: number
  branch: string
  sha: string
}

/** Lists the open merge requests that are merged when the pipeline of this head succeeds. */
export function listWaitingForPipeline(
  q: Queries,
  commit: PassedCommit,
): Promise<MergeRequestRow[]> {
  return q.all('merging.waiting', commit, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
      .where('mergeRequests.sourceProjectId', '=', $('projectId'))
      .where('mergeRequests.sourceBranch', '=', $('branch'))
      .where('mergeRequests.state', '=', 'opened')
      .where('mergeRequests.headSha', '=', $('sha'))
      .where('mergeRequests.mergeWhenPipelineSucceeds', '=', 1)
      .where('projects.deletedAt', 'is', null)
      .orderBy('mergeRequests.id')
      .select(mergeRequestColumns),
  )
}
