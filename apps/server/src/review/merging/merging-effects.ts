import { isPipelinePassed } from '@stithy/core'
import { enqueueJob, listWaitingForPipeline, type Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'

export const mergeWaitingKind = 'merge-requests.merge-waiting'

/** Enqueues a job for each merge request that is merged now that the pipeline has succeeded. */
export async function enqueueWaitingMerges(
  tx: Transaction,
  {
    pipeline: { projectId, ref: branch, sha, status, tag },
    now,
  }: Change<'pipeline.status_changed'>,
): Promise<void> {
  if (tag === 1 || !isPipelinePassed(status)) return
  for (const { id } of await listWaitingForPipeline(tx, { projectId, branch, sha })) {
    await enqueueJob(tx, { queue: 'pushes', kind: mergeWaitingKind, payload: { id } }, now)
  }
}
