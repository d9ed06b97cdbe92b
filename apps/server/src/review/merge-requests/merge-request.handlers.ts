import type { mergeRequestsContract } from '@stithy/core'
import { listMergeRequestsOfCommit } from '@stithy/store'
import { requireCommit } from '../../code/commits/commit.service.ts'
import { changeBy } from '../../planning/items/changes/change-by.ts'
import { setItemSubscription } from '../../planning/items/item-subscription.service.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { listClosedIssues } from './closing/closed-issues.service.ts'
import { removeMergeRequest } from './merge-request-delete.service.ts'
import { changeOf } from './merge-request-parameters.ts'
import { updateMergeRequest } from './merge-request-update.service.ts'
import { viewMergeRequests } from './merge-request-views.service.ts'
import { openByRequest } from './open/merge-request-open.service.ts'
import { viewMergeRequest } from './read/merge-request-detail.service.ts'
import { listPipelines } from './read/merge-request-pipeline.service.ts'

export const mergeRequestHandlers: Handlers<typeof mergeRequestsContract> = {
  async listForCommit({ app, caller, subject, params, query, page }) {
    const { oid } = await requireCommit(app, subject.row, params.sha)
    const args = { projectId: subject.row.id, sha: oid }
    const found = await listMergeRequestsOfCommit(app.db, args, page)
    const options = { maxDescriptionLength: query.max_description_length }
    return { ...found, items: await viewMergeRequests(app, caller, found.items, options) }
  },

  async show({ app, caller, subject, query }) {
    return viewMergeRequest(app, caller, subject, query)
  },

  async create({ app, caller, subject, body }) {
    return viewMergeRequest(app, caller, await openByRequest(app, caller, subject, body))
  },

  async update({ app, caller, subject, body }) {
    const updated = await updateMergeRequest(app, caller, subject, changeOf(body))
    return viewMergeRequest(app, caller, updated)
  },

  async remove({ app, caller, subject, headers }) {
    requireUnmodified(headers, subject.row.updatedAt)
    return removeMergeRequest(app, changeBy(app, caller), subject)
  },

  async listClosedIssues({ app, caller, subject, query, page }) {
    return listClosedIssues(app, caller, subject, query, page)
  },

  async listPipelines({ app, caller, subject, page }) {
    return listPipelines(app, caller, subject, page)
  },

  async subscribe({ app, caller, subject }) {
    await setItemSubscription(app, caller, subject, true)
    return viewMergeRequest(app, caller, subject)
  },

  async unsubscribe({ app, caller, subject }) {
    await setItemSubscription(app, caller, subject, false)
    return viewMergeRequest(app, caller, subject)
  },
}
