import { z } from 'zod'
import { MergeRequest } from '../../planning/items/merge-request.schema.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'

/** Merge requests. */
export const mergeRequestsContract = {
  listForCommit: endpoint({
    name: 'commits.mergeRequests',
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha/merge_requests',
    paginated: true,
    response: { 200: z.array(MergeRequest) },
    auth: { on: 'project', ability: 'read_merge_requests' },
    errors: ['not_found'],
    docs: {
      summary: 'List merge requests that contain a commit',
      description:
        'Newest first, in every state, of those that target this project. The commit is given ' +
        'by its hash, which may be abbreviated, or by a branch or tag. Only the latest ' +
        'version of a merge request is searched.',
    },
  }),
}
