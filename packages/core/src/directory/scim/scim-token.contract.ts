import { endpoint } from '../../platform/contract/endpoint.ts'
import { ScimToken } from './scim-token.schema.ts'

/** What a token can do is done to members. */
const auth = { on: 'group', ability: 'admin_group_members' } as const

/** The token by which an identity provider manages the users of a group. */
export const scimTokensContract = {
  create: endpoint({
    name: 'groups.scimToken.create',
    method: 'POST',
    path: '/groups/:id/scim_token',
    response: { 201: ScimToken },
    auth,
    errors: ['not_found'],
    tier: 'premium',
    docs: {
      summary: 'Create the SCIM token of a group',
      description: 'Replaces the one before. The token is only in this response.',
    },
  }),
  delete: endpoint({
    name: 'groups.scimToken.delete',
    method: 'DELETE',
    path: '/groups/:id/scim_token',
    response: { 204: null },
    auth,
    errors: ['not_found'],
    tier: 'premium',
    docs: { summary: 'Revoke the SCIM token of a group' },
  }),
}
