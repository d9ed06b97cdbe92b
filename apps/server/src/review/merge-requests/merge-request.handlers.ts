import type { mergeRequestsContract } from '@stithy/core'
import { listMergeRequestsOfCommit } from '@stithy/store'
import { requireCommit } from '../../code/commits/commit.service.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { viewMergeRequests } from './merge-request-views.service.ts'

export const mergeRequestHandlers: Handlers<typeof mergeRequestsContract> = {
  async listForCommit({ app, caller, subject, params, page }) {
    const { oid } = await requireCommit(app, subject.row, params.sha)
    const args = { projectId: subject.row.id, sha: oid }
    const found = await listMergeRequestsOfCommit(app.db, args, page)
    return { ...found, items: await viewMergeRequests(app, caller, found.items) }
  },
}
