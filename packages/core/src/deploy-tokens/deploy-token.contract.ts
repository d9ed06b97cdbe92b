import { z } from 'zod'
import { instant } from '../contract/date-fields.ts'
import { endpoint } from '../contract/endpoint.ts'
import { filledText, integer, oneOfList, text } from '../contract/fields.ts'
import { DeployToken, deployTokenScopes, NewDeployToken } from './deploy-token.schema.ts'

const tag = 'Deploy tokens'
const writing = { on: 'project', ability: 'admin_deploy_tokens' } as const

/** Tokens that clone one project (catalogue: repository, 12). */
export const deployTokensContract = {
  list: endpoint({
    method: 'GET',
    path: '/projects/:id/deploy_tokens',
    paginated: true,
    response: { 200: z.array(DeployToken) },
    auth: { on: 'project', ability: 'read_deploy_tokens' },
    docs: { summary: 'List the deploy tokens of a project', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects/:id/deploy_tokens',
    body: z.object({
      name: filledText(),
      expires_at: instant().nullable().optional(),
      username: text().optional(),
      scopes: oneOfList(deployTokenScopes),
    }),
    response: { 201: NewDeployToken },
    auth: writing,
    errors: ['validation_failed'],
    docs: {
      summary: 'Create a deploy token; it is shown only in this answer',
      tag,
      description: 'It ends at 00:00 UTC of the day of `expires_at`.',
    },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/:id/deploy_tokens/:token_id',
    params: z.object({ token_id: integer({ min: 1 }) }),
    response: { 204: null },
    auth: writing,
    errors: ['not_found', 'precondition_failed'],
    docs: { summary: 'Revoke a deploy token', tag },
  }),
}
