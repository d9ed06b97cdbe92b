import type { MergeRef, MergeRequestDetail, mergingContract } from '@stithy/core'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { Call, CallOn, Handlers } from '../../platform/http/call.ts'
import { viewMergeRequest } from '../merge-requests/read/merge-request-detail.service.ts'
import { cancelAutoMerge } from './auto-merge.service.ts'
import { acceptMergeRequest } from './merge.service.ts'
import { listMergeChecks } from './merge-check-list.service.ts'
import { mergeToRef } from './merge-ref.service.ts'
import { requestRebase } from './rebase.service.ts'

async function cancel({
  app,
  caller,
  subject,
}: CallOn<MergeRequestItem>): Promise<MergeRequestDetail> {
  return viewMergeRequest(app, caller, await cancelAutoMerge(app, caller, subject))
}

async function mergeWithMessage({
  app,
  caller,
  subject,
  body,
}: Call<(typeof mergingContract)['mergeToRef']>): Promise<MergeRef> {
  const { merge_commit_message: mergeCommitMessage } = body
  return { commit_id: await mergeToRef(app, caller, subject, { mergeCommitMessage }) }
}

export const mergingHandlers: Handlers<typeof mergingContract> = {
  async merge({ app, caller, subject, body }) {
    const merged = await acceptMergeRequest(app, caller, subject, {
      mergeCommitMessage: body.merge_commit_message || undefined,
      squashCommitMessage: body.squash_commit_message || undefined,
      squash: body.squash,
      shouldRemoveSourceBranch: body.should_remove_source_branch,
      whenPipelineSucceeds: body.merge_when_pipeline_succeeds,
      sha: body.sha || undefined,
    })
    return viewMergeRequest(app, caller, merged)
  },
  async listChecks({ app, subject }) {
    return listMergeChecks(app, subject)
  },
  async showMergeRef({ app, caller, subject }) {
    return { commit_id: await mergeToRef(app, caller, subject) }
  },
  mergeToRef: mergeWithMessage,
  mergeRefWithPut: mergeWithMessage,
  cancelMergeWhenPipelineSucceeds: cancel,
  cancelMergeWhenPipelineSucceedsWithPut: cancel,
  async rebase({ app, caller, subject }) {
    await requestRebase(app, caller, subject)
    return { rebase_in_progress: true }
  },
}
