import { z } from 'zod'
import { UserRef } from '../../directory/users/user.schema.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer } from '../../platform/contract/fields.ts'

const list = {
  method: 'GET',
  paginated: true,
  response: { 200: z.array(UserRef) },
  errors: ['not_found'],
} as const

const description =
  'The author, the assignees, and everyone who commented, was mentioned or gave an award emoji there. ' +
  'Only users who can read it are listed.'

/** Participants of issues and merge requests. */
export const participantsContract = {
  ofIssue: endpoint({
    name: 'issues.participants',
    ...list,
    path: '/projects/:id/issues/:issue_iid/participants',
    params: z.object({ issue_iid: integer() }),
    auth: { on: 'issue', ability: 'read_issue_participants' },
    docs: { summary: 'List participants of an issue', description: description },
  }),
  ofMergeRequest: endpoint({
    name: 'mergeRequests.participants',
    ...list,
    path: '/projects/:id/merge_requests/:merge_request_iid/participants',
    params: z.object({ merge_request_iid: integer() }),
    auth: { on: 'merge_request', ability: 'show_merge_request' },
    docs: { summary: 'List participants of a merge request', description: description },
  }),
}
