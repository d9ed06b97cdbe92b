import { z } from 'zod'
import { tokenScopes } from '../access/scope.ts'
import { clearableDate } from '../contract/date-fields.ts'
import { endpoint } from '../contract/endpoint.ts'
import { filledText, integer, oneOf, oneOfList } from '../contract/fields.ts'
import { ImpersonationToken, NewImpersonationToken } from './token.schema.ts'

const tag = 'Impersonation tokens'
const auth = { on: 'instance', ability: 'administer' } as const
const owner = z.object({ user_id: integer({ min: 1 }) })
const one = owner.extend({ impersonation_token_id: integer({ min: 1 }) })

/** Tokens with which administrators act as a user (catalogue: users, Impersonation tokens). */
export const impersonationTokensContract = {
  list: endpoint({
    method: 'GET',
    path: '/users/:user_id/impersonation_tokens',
    params: owner,
    query: z.object({ state: oneOf(['all', 'active', 'inactive']).default('all') }),
    paginated: true,
    response: { 200: z.array(ImpersonationToken) },
    auth,
    errors: ['not_found'],
    docs: { summary: 'List the impersonation tokens of a user', tag },
  }),
  show: endpoint({
    method: 'GET',
    path: '/users/:user_id/impersonation_tokens/:impersonation_token_id',
    params: one,
    response: { 200: ImpersonationToken },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Show an impersonation token', tag },
  }),
  create: endpoint({
    method: 'POST',
    path: '/users/:user_id/impersonation_tokens',
    params: owner,
    body: z.object({
      name: filledText(),
      scopes: oneOfList(tokenScopes),
      expires_at: clearableDate().optional(),
    }),
    response: { 201: NewImpersonationToken },
    auth,
    errors: ['not_found', 'validation_failed'],
    docs: { summary: 'Create an impersonation token; it is shown only in this answer', tag },
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/users/:user_id/impersonation_tokens/:impersonation_token_id',
    params: one,
    response: { 204: null },
    auth,
    errors: ['not_found'],
    docs: { summary: 'Revoke an impersonation token', tag },
  }),
}
