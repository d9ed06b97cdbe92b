import type { participantsContract } from '@stithy/core'
import type { Handlers } from '../http/call.ts'
import { requireIssue } from '../issues/issue-found.ts'
import { listParticipants } from '../items/participants.service.ts'
import { requireMergeRequest } from '../merge-requests/merge-request-found.ts'

export const participantHandlers: Handlers<typeof participantsContract> = {
  async ofIssue({ app, caller, subject, params, page }) {
    return listParticipants(app, await requireIssue(app, caller, subject, params.issue_iid), page)
  },

  async ofMergeRequest({ app, caller, subject, params, page }) {
    const { merge_request_iid: iid } = params
    return listParticipants(app, await requireMergeRequest(app, caller, subject, iid), page)
  },
}
