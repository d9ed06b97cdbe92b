import type { mergeRequestListsContract } from '@stithy/core'
import type { Handlers } from '../../../platform/http/call.ts'
import { loadMergeRequestsPage } from './merge-request-list.service.ts'
import { groupRequests, instanceRequests, projectRequests } from './merge-request-list-scope.ts'

export const mergeRequestListHandlers: Handlers<typeof mergeRequestListsContract> = {
  async list({ app, caller, query, page }) {
    const { scope = 'created_by_me' } = query
    return loadMergeRequestsPage(app, caller, instanceRequests, { ...query, scope }, page)
  },

  async listOfGroup({ app, caller, subject, query, page }) {
    return loadMergeRequestsPage(app, caller, groupRequests(subject), query, page)
  },

  async listOfProject({ app, caller, subject, query, page }) {
    return loadMergeRequestsPage(app, caller, projectRequests(subject), query, page)
  },
}
