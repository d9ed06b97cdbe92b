import type { AutoMergeAbort, SystemNote } from '@stithy/core'
import type { MergeRequestRow } from '@stithy/store'

/** The system notes of a change that ends the wait for a pipeline; none if there was no wait. */
export function autoMergeAborted(
  row: Pick<MergeRequestRow, 'mergeWhenPipelineSucceeds'>,
  reason: AutoMergeAbort,
): SystemNote[] {
  return row.mergeWhenPipelineSucceeds === 1 ? [{ action: 'auto_merge_aborted', reason }] : []
}
