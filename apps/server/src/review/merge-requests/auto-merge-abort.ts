import type { AutoMergeAbort, SystemNote } from '@stithy/core'
import type { MergeRequestRow } from '@stithy/store'

/** Columns of a merge request that does not wait for its pipeline to be merged. */
export const clearedAutoMerge = {
  mergeWhenPipelineSucceeds: 0,
  mergeUserId: null,
  mergeParams: null,
} as const

/** The system notes of a change that ends the wait for a pipeline; none if there was no wait. */
export function autoMergeAborted(
  row: Pick<MergeRequestRow, 'mergeWhenPipelineSucceeds'>,
  reason: AutoMergeAbort,
): SystemNote[] {
  return row.mergeWhenPipelineSucceeds === 1 ? [{ action: 'auto_merge_aborted', reason }] : []
}
