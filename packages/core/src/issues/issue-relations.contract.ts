import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { integer } from '../contract/fields.ts'
import { MergeRequest } from '../merge-requests/merge-request.schema.ts'

const list = {
  method: 'GET',
  params: z.object({ issue_iid: integer() }),
  paginated: true,
  response: { 200: z.array(MergeRequest) },
  auth: { on: 'project', ability: 'read_issues' },
  errors: ['not_found'],
} as const

/** Merge requests that have to do with an issue (catalogue: issues, 2.5). */
export const issueRelationsContract = {
  closedBy: endpoint({
    ...list,
    path: '/projects/:id/issues/:issue_iid/closed_by',
    docs: {
      summary: 'List the merge requests that close an issue',
      tag: 'Issues',
      description:
        'The open merge requests of the project which close the issue when they are merged, by their title, description or commits.',
    },
  }),
  relatedMergeRequests: endpoint({
    ...list,
    path: '/projects/:id/issues/:issue_iid/related_merge_requests',
    docs: {
      summary: 'List the merge requests that name an issue, or that it names',
      tag: 'Issues',
      description:
        'Named in a description or in a comment, from any project whose merge requests the caller may read; by project, then by number.',
    },
  }),
}
