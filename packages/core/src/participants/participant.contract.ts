import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { integer } from '../contract/fields.ts'
import { UserRef } from '../users/user.schema.ts'

const list = {
  method: 'GET',
  paginated: true,
  response: { 200: z.array(UserRef) },
  auth: { on: 'project', ability: 'read_project' },
  errors: ['not_found'],
} as const

const description =
  'Its author, its assignees, who commented on it, who is named in its texts and who gave it or its comments award emoji; those of them who may read it.'

/** Catalogue: issues, 2.5; merge_requests, 2. */
export const participantsContract = {
  ofIssue: endpoint({
    ...list,
    path: '/projects/:id/issues/:issue_iid/participants',
    params: z.object({ issue_iid: integer() }),
    docs: { summary: 'List who takes part in an issue', tag: 'Issues', description },
  }),
  ofMergeRequest: endpoint({
    ...list,
    path: '/projects/:id/merge_requests/:merge_request_iid/participants',
    params: z.object({ merge_request_iid: integer() }),
    docs: {
      summary: 'List who takes part in a merge request',
      tag: 'Merge requests',
      description,
    },
  }),
}
