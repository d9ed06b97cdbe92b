import { DomainError, isPipelineActive, type SystemNote } from '@stithy/core'
import {
  clearedAutoMerge,
  lockMergeRequest,
  lockPipelines,
  type Transaction,
  toFlagOrNull,
  updateMergeRequestRow,
} from '@stithy/store'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { mayMerge } from '../merge-requests/read/merge-request-detail.service.ts'
import { reload } from '../merge-requests/update/merge-request-type.ts'
import { findHeadPipelineOf, notMergeable } from './merge-checks.service.ts'
import type { WaitingMerge } from './pending-merge.ts'

/**
 * Lets a merge request wait until the pipeline of its head succeeds. False if that has finished
 * meanwhile, or the merge request is no longer open with that head.
 */
export async function queueMerge(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  { mergeCommitMessage, squashCommitMessage, squash, shouldRemoveSourceBranch }: WaitingMerge,
): Promise<boolean> {
  const { id, headSha, sourceProjectId } = item.row
  const userId = requireCaller(caller).id
  const options = { mergeCommitMessage, squashCommitMessage, squash, shouldRemoveSourceBranch }
  return app.db.transaction(async (tx) => {
    // The pipeline cannot finish in between, unnoticed.
    await lockPipelines(tx, sourceProjectId ?? 0)
    const row = await lockMergeRequest(tx, id)
    if (row?.state !== 'opened' || row.headSha !== headSha) return false
    const pipeline = await findHeadPipelineOf(tx, row)
    if (pipeline === undefined || !isPipelineActive(pipeline.status)) return false
    await updateMergeRequestRow(tx, id, {
      mergeWhenPipelineSucceeds: 1,
      mergeUserId: userId,
      mergeParams: JSON.stringify(options),
      shouldRemoveSourceBranch: toFlagOrNull(shouldRemoveSourceBranch),
      mergeError: null,
      ...(squash ? { squash: 1 } : {}),
    })
    if (row.mergeWhenPipelineSucceeds === 1) return true
    await note(tx, { ...item, row }, userId, app.now(), {
      action: 'auto_merge_enabled',
      sha: headSha,
    })
    return true
  })
}

async function note(
  tx: Transaction,
  item: MergeRequestItem,
  userId: number,
  now: number,
  text: SystemNote,
): Promise<void> {
  await recordChange(tx, { kind: 'item.noted', userId, at: now, now, item, notes: [text] })
}

/**
 * Cancels the merge of a merge request that waits for its pipeline.
 * @throws DomainError `unauthorized` unless the caller is the author or may merge it;
 * `method_not_allowed` if it is not open; `not_acceptable` if it does not wait.
 */
export async function cancelAutoMerge(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
): Promise<MergeRequestItem> {
  const userId = requireCaller(caller).id
  const isAuthor = item.row.authorId === userId
  if (!isAuthor && !(await mayMerge(app, caller, item))) throw new DomainError('unauthorized')
  await app.db.transaction(async (tx) => {
    const row = await lockMergeRequest(tx, item.row.id)
    if (row?.state !== 'opened') throw notMergeable()
    if (row.mergeWhenPipelineSucceeds === 0) throw new DomainError('not_acceptable')
    await updateMergeRequestRow(tx, row.id, clearedAutoMerge)
    await note(tx, { ...item, row }, userId, app.now(), { action: 'auto_merge_canceled' })
  })
  return reload(app, item)
}
