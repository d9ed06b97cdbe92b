import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { MergeRequest } from './merge-request.schema.ts'

/** Catalogue: repository, 3, the last but one row. */
export const mergeRequestsContract = {
  listForCommit: endpoint({
    method: 'GET',
    path: '/projects/:id/repository/commits/:sha/merge_requests',
    paginated: true,
    response: { 200: z.array(MergeRequest) },
    auth: { on: 'project', ability: 'read_merge_requests' },
    errors: ['not_found'],
    docs: {
      summary: 'List the merge requests that contain a commit, the newest first',
      tag: 'Merge requests',
      description:
        'Those into this project, in any state, whose newest version has the commit. The hash may be shortened; a branch or tag stands for its commit.',
    },
  }),
}
