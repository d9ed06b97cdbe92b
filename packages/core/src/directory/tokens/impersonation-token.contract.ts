import { z } from 'zod'
import { tokenScopes } from '../../platform/access/scope.ts'
import { clearableDate } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText, oneOf } from '../../platform/contract/fields.ts'
import { oneOfList } from '../../platform/contract/list-fields.ts'
import { nameText } from '../../platform/contract/text-options.ts'
import { ImpersonationToken, NewImpersonationToken } from './token.schema.ts'

const auth = { on: 'instance', ability: 'administer' } as const
const reading = { ...auth, scope: ['api', 'read_user'] } as const
const owner = z.object({ user_id: integer({ min: 1 }) })
const one = owner.extend({ impersonation_token_id: integer({ min: 1 }) })

/** Tokens with which administrators impersonate a user. */
export const impersonationTokensContract = {
  list: endpoint({
    name: 'users.impersonationTokens.list',
    method: 'GET',
    path: '/users/:user_id/impersonation_tokens',
    params: owner,
    query: z.object({ state: oneOf(['all', 'active', 'inactive']).default('all') }),
    paginated: true,
    response: { 200: z.array(ImpersonationToken) },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'List impersonation tokens of a user' },
  }),
  show: endpoint({
    name: 'users.impersonationTokens.show',
    method: 'GET',
    path: '/users/:user_id/impersonation_tokens/:impersonation_token_id',
    params: one,
    response: { 200: ImpersonationToken },
    auth: reading,
    errors: ['not_found'],
    docs: { summary: 'Show an impersonation token of a user' },
  }),
  create: endpoint({
    name: 'users.impersonationTokens.create',
    method: 'POST',
    path: '/users/:user_id/impersonation_tokens',
    params: owner,
    body: z.object({
      name: nonEmptyText(nameText),
      scopes: oneOfList(tokenScopes),
      expires_at: clearableDate().optional(),
    }),
    response: { 201: NewImpersonationToken },
    auth,
    errors: ['not_found', 'validation_failed'],
    docs: {
      summary: 'Create an impersonation token for a user',
      description: 'The token itself is only in this response.',
    },
  }),
  revoke: endpoint({
    name: 'users.impersonationTokens.delete',
    method: 'DELETE',
    path: '/users/:user_id/impersonation_tokens/:impersonation_token_id',
    params: one,
    response: { 204: null },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Revoke an impersonation token of a user' },
  }),
}
