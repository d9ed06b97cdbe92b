import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { filledText, integer } from '../contract/fields.ts'
import { IssueLink, RelatedIssue } from './issue-link.schema.ts'

const tag = 'Issue links'
const params = z.object({ issue_iid: integer() })
const auth = { on: 'project', ability: 'read_issues' } as const

/** Catalogue: issues, 2.7. */
export const issueLinksContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/issues/:issue_iid/links',
    params,
    paginated: true,
    response: { 200: z.array(RelatedIssue) },
    auth,
    tier: 'premium',
    errors: ['not_found'],
    docs: {
      summary: 'List the issues that an issue is related to, the oldest relation first',
      tag,
    },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/issues/:issue_iid/links',
    params,
    body: z.object({ target_project_id: filledText(), target_issue_iid: integer() }),
    response: { 201: IssueLink },
    auth,
    tier: 'premium',
    errors: ['not_found', 'conflict', 'validation_failed'],
    docs: {
      summary: 'Relate an issue to another one',
      tag,
      description: 'Needs level 20 (Reporter) in both projects.',
    },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/:id/issues/:issue_iid/links/:issue_link_id',
    params: params.extend({ issue_link_id: integer() }),
    response: { 200: IssueLink },
    auth,
    tier: 'premium',
    errors: ['not_found'],
    docs: {
      summary: 'End the relation between two issues',
      tag,
      description: 'Needs level 20 (Reporter) in both projects.',
    },
  }),
}
