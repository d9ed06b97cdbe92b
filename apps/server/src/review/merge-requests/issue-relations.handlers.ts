import type { issueRelationsContract } from '@stithy/core'
import { findRelatedRequestIds, listClosingRequests, listVisibleRequests } from '@stithy/store'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Call, Handlers } from '../../platform/http/call.ts'
import { viewMergeRequests } from './merge-request-views.service.ts'

type Contract = typeof issueRelationsContract

export const issueRelationsHandlers: Handlers<Contract> = {
  async closedBy(call) {
    const { app, page, subject } = call
    const { row } = subject
    const args = { issueId: row.id, projectId: row.projectId, ...viewerOf(call) }
    const found = await listClosingRequests(app.db, args, page)
    return { ...found, items: await viewMergeRequests(app, call.caller, found.items, cutBy(call)) }
  },

  async relatedMergeRequests(call) {
    const { app, page, subject } = call
    const { row } = subject
    const ids = await findRelatedRequestIds(app.db, row.id)
    const found = await listVisibleRequests(app.db, { ids, ...viewerOf(call) }, page)
    return { ...found, items: await viewMergeRequests(app, call.caller, found.items, cutBy(call)) }
  },
}

type ListCall = Call<Contract['closedBy']> | Call<Contract['relatedMergeRequests']>

/** How descriptions are cut. */
function cutBy({ query }: ListCall) {
  return { maxDescriptionLength: query.max_description_length }
}

function viewerOf({ app, caller }: ListCall) {
  return { caller: caller.facts, today: dayOf(app.now()) }
}
