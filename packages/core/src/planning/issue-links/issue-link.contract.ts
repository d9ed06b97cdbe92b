import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText } from '../../platform/contract/fields.ts'
import { ItemsQuery } from '../../platform/contract/listed-descriptions.ts'
import { fullPathText } from '../../platform/contract/text-options.ts'
import { IssueLink, RelatedIssue } from './issue-link.schema.ts'

const params = z.object({ issue_iid: integer() })
const link = { on: 'issue', ability: 'link_issue' } as const

/** Links between issues. */
export const issueLinksContract = {
  list: endpoint({
    name: 'issues.links.list',
    method: 'GET',
    path: '/projects/:id/issues/:issue_iid/links',
    params,
    query: ItemsQuery,
    paginated: true,
    response: { 200: z.array(RelatedIssue) },
    auth: { on: 'issue', ability: 'read_issue' },
    tier: 'premium',
    errors: ['not_found'],
    docs: {
      summary: 'List links of an issue',
      description: 'Returns the linked issues, oldest link first.',
    },
  }),
  create: endpoint({
    name: 'issues.links.create',
    method: 'POST',
    path: '/projects/:id/issues/:issue_iid/links',
    params,
    body: z.object({ target_project_id: nonEmptyText(fullPathText), target_issue_iid: integer() }),
    response: { 201: IssueLink },
    auth: link,
    tier: 'premium',
    errors: ['not_found', 'conflict', 'validation_failed'],
    docs: {
      summary: 'Create a link between two issues',
      description: 'Needs the Reporter role in both projects.',
    },
  }),
  remove: endpoint({
    name: 'issues.links.delete',
    method: 'DELETE',
    path: '/projects/:id/issues/:issue_iid/links/:issue_link_id',
    params: params.extend({ issue_link_id: integer() }),
    response: { 200: IssueLink },
    auth: link,
    tier: 'premium',
    errors: ['not_found'],
    docs: {
      summary: 'Delete a link between two issues',
      description: 'Needs the Reporter role in both projects.',
    },
  }),
}
