import type { issueRelationsContract } from '@stithy/core'
import { findRelatedRequestIds, listClosingRequests, listVisibleRequests } from '@stithy/store'
import type { Call, Handlers } from '../http/call.ts'
import { dayOf } from '../members/day.ts'
import { viewMergeRequests } from '../merge-requests/merge-request-views.service.ts'
import { requireIssue } from './issue-found.ts'

type Contract = typeof issueRelationsContract

export const issueRelationsHandlers: Handlers<Contract> = {
  async closedBy(call) {
    const { app, page } = call
    const { row } = await issueOf(call)
    const whose = { issueId: row.id, projectId: row.projectId, ...viewerOf(call) }
    const found = await listClosingRequests(app.db, whose, page)
    return { ...found, items: await viewMergeRequests(app, found.items) }
  },

  async relatedMergeRequests(call) {
    const { app, page } = call
    const { row } = await issueOf(call)
    const ids = await findRelatedRequestIds(app.db, row.id)
    const found = await listVisibleRequests(app.db, { ids, ...viewerOf(call) }, page)
    return { ...found, items: await viewMergeRequests(app, found.items) }
  },
}

type ListCall = Call<Contract['closedBy']> | Call<Contract['relatedMergeRequests']>

function issueOf({ app, caller, subject, params }: ListCall) {
  return requireIssue(app, caller, subject, params.issue_iid)
}

function viewerOf({ app, caller }: ListCall) {
  return { caller: caller.facts, today: dayOf(app.now()) }
}
