import { z } from 'zod'
import { date } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText, text } from '../../platform/contract/fields.ts'
import { oneOfList } from '../../platform/contract/list-fields.ts'
import { nameText } from '../../platform/contract/text-options.ts'
import { DeployToken, deployTokenScopes, NewDeployToken } from './deploy-token.schema.ts'

const writing = { on: 'project', ability: 'admin_deploy_tokens' } as const

/** Deploy tokens of projects. */
export const deployTokensContract = {
  list: endpoint({
    name: 'deployTokens.list',
    method: 'GET',
    path: '/projects/:id/deploy_tokens',
    paginated: true,
    response: { 200: z.array(DeployToken) },
    auth: { on: 'project', ability: 'read_deploy_tokens' },
    docs: { summary: 'List deploy tokens of a project' },
  }),
  create: endpoint({
    name: 'deployTokens.create',
    method: 'POST',
    path: '/projects/:id/deploy_tokens',
    body: z.object({
      name: nonEmptyText(nameText),
      expires_at: date().nullable().optional(),
      username: text().optional(),
      scopes: oneOfList(deployTokenScopes, { minItems: 1 }),
    }),
    response: { 201: NewDeployToken },
    auth: writing,
    errors: ['validation_failed'],
    docs: {
      summary: 'Create a deploy token for a project',
      description:
        'The token itself is only in this response. It expires at 00:00 UTC on the day of ' +
        '`expires_at`.',
    },
  }),
  remove: endpoint({
    name: 'deployTokens.delete',
    method: 'DELETE',
    path: '/projects/:id/deploy_tokens/:token_id',
    params: z.object({ token_id: integer({ min: 1 }) }),
    response: { 204: null },
    auth: writing,
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Delete a deploy token of a project' },
  }),
}
