import { type MergeStatus, outdatedMergeStatus } from '@stithy/core'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { BranchKey } from './merge-request-branches.ts'

/** Columns of a merge request that does not wait for its pipeline to be merged. */
export const clearedAutoMerge = {
  mergeWhenPipelineSucceeds: 0,
  mergeUserId: null,
  mergeParams: null,
  shouldRemoveSourceBranch: null,
} as const

/** The result of a mergeability check. */
export interface CheckedMerge {
  id: number
  /** The version that was checked. */
  versionId: number
  canBeMerged: boolean
}

/**
 * Stores the results of mergeability checks; merge requests with a newer version, or that were
 * checked by another process, are left as they are. Returns the ids of the updated ones.
 */
export async function saveMergeChecks(
  tx: Transaction,
  checks: readonly CheckedMerge[],
): Promise<Set<number>> {
  const saved = new Set<number>()
  for (const canBeMerged of [true, false]) {
    const found = checks.filter((check) => check.canBeMerged === canBeMerged)
    if (found.length === 0) continue
    const mergeStatus: MergeStatus = canBeMerged ? 'can_be_merged' : 'cannot_be_merged'
    const ids = found.map(({ id }) => id)
    const versionIds = found.map(({ versionId }) => versionId)
    const rows = await tx.all('mergeRequests.checked', { ids, versionIds, mergeStatus }, (db, $) =>
      db
        .updateTable('mergeRequests')
        .set({ mergeStatus: $('mergeStatus') })
        .where(inList('mergeRequests.id', $('ids')))
        .where(inList('mergeRequests.latestVersionId', $('versionIds')))
        .where('mergeStatus', 'in', ['unchecked', 'cannot_be_merged_recheck'])
        .returning('id'),
    )
    for (const { id } of rows) saved.add(id)
  }
  return saved
}

/** Resets the merge status of an open merge request to unchecked. */
export async function resetMergeCheck(
  q: Queries,
  { id, mergeStatus }: { id: number; mergeStatus: MergeStatus },
): Promise<void> {
  const args = { id, from: mergeStatus, to: outdatedMergeStatus(mergeStatus) }
  await q.run('mergeRequests.forgetCheck', args, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ mergeStatus: $('to') })
      .where('id', '=', $('id'))
      .where('mergeStatus', '=', $('from')),
  )
}

const sides = {
  source: { project: 'sourceProjectId', branch: 'sourceBranch' },
  target: { project: 'projectId', branch: 'targetBranch' },
} as const

/**
 * Marks closed merge requests from or into a branch that is gone as those that cannot be merged;
 * returns how many it changed, at most `limit`.
 */
export async function markBranchGone(
  q: Queries,
  { side, ...args }: BranchKey & { side: keyof typeof sides; limit: number },
): Promise<number> {
  const { project, branch } = sides[side]
  const { changes } = await q.run(`mergeRequests.branchGone|${side}`, args, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ mergeStatus: 'cannot_be_merged' })
      .where(
        'id',
        'in',
        db
          .selectFrom('mergeRequests')
          .where(project, '=', $('projectId'))
          .where(branch, '=', $('branch'))
          .where('state', '=', 'closed')
          .where('mergeStatus', '<>', 'cannot_be_merged')
          .limit($('limit'))
          .select('id'),
      ),
  )
  return changes
}
