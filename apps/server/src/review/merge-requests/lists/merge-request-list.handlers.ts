import type { mergeRequestListsContract } from '@stithy/core'
import type { Handlers } from '../../../platform/http/call.ts'
import { loadMergeRequestsPage } from './merge-request-list.service.ts'

export const mergeRequestListHandlers: Handlers<typeof mergeRequestListsContract> = {
  async list({ app, caller, query, page }) {
    const { scope = 'created_by_me' } = query
    const everywhere = { kind: 'anywhere', archived: true } as const
    return loadMergeRequestsPage(app, caller, everywhere, { ...query, scope }, page)
  },

  async listOfGroup({ app, caller, subject, query, page }) {
    const inGroup = { kind: 'group', groupId: subject.row.id, archived: true } as const
    return loadMergeRequestsPage(app, caller, inGroup, query, page)
  },

  async listOfProject({ app, caller, subject, query, page }) {
    const { id: projectId, namespaceId } = subject.row
    // Whoever may list them may read all.
    const inProject = { kind: 'project', projectId, namespaceId, includesHidden: true } as const
    return loadMergeRequestsPage(app, caller, inProject, query, page)
  },
}
