import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer } from '../../platform/contract/fields.ts'
import { ItemsQuery } from '../../platform/contract/listed-descriptions.ts'
import { MergeRequest } from '../items/merge-request.schema.ts'

const list = {
  method: 'GET',
  params: z.object({ issue_iid: integer() }),
  query: ItemsQuery,
  paginated: true,
  response: { 200: z.array(MergeRequest) },
  auth: { on: 'issue', ability: 'read_issue' },
  errors: ['not_found'],
} as const

/** Merge requests that close an issue or are related to it. */
export const issueRelationsContract = {
  closedBy: endpoint({
    name: 'issues.closedBy',
    ...list,
    path: '/projects/:id/issues/:issue_iid/closed_by',
    docs: {
      summary: 'List merge requests that close an issue',
      description:
        'Open merge requests of the same project that close the issue when they are merged, ' +
        'by their title, description or commits.',
    },
  }),
  relatedMergeRequests: endpoint({
    name: 'issues.relatedMergeRequests',
    ...list,
    path: '/projects/:id/issues/:issue_iid/related_merge_requests',
    docs: {
      summary: 'List merge requests related to an issue',
      description:
        'Merge requests that mention the issue or that it mentions, in descriptions and ' +
        'comments, from every project whose merge requests the caller can read. Ordered by ' +
        'project, then by number.',
    },
  }),
}
