import { type MergeStatus, outdatedMergeStatus } from '@stithy/core'
import type { Queries, Transaction } from '../queries.ts'
import { inList } from '../sql.ts'

/** What trying a merge has shown. */
export interface CheckedMerge {
  id: number
  /** The version that was tried. */
  versionId: number
  canBeMerged: boolean
}

/**
 * Keeps what was found out about merges; what has gone on to another version since, or was looked at by
 * somebody else, stays as it is. Answers the ids of the others.
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

/** Forgets whether an open merge request can be merged. */
export async function forgetMergeCheck(
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
