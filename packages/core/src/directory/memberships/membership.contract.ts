import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, oneOf, optional } from '../../platform/contract/fields.ts'

/** Types of what users are members of; groups are namespaces. */
export const membershipTypes = ['Project', 'Namespace'] as const
export type MembershipType = (typeof membershipTypes)[number]

/** A direct membership of a user. */
export const Membership = z.object({
  source_id: z.int(),
  source_name: z.string(),
  source_type: z.enum(membershipTypes),
  access_level: z.int(),
})
export type Membership = z.output<typeof Membership>

/** The projects and groups that a user is a member of. */
export const membershipsContract = {
  list: endpoint({
    name: 'users.memberships.list',
    method: 'GET',
    path: '/users/:id/memberships',
    params: z.object({ id: integer({ min: 1 }) }),
    query: z.object(optional({ type: oneOf(membershipTypes) })),
    paginated: true,
    response: { 200: z.array(Membership) },
    auth: { on: 'instance', ability: 'administer', scope: ['api', 'read_user'] },
    errors: ['not_found'],
    docs: {
      summary: 'List memberships of a user',
      description: 'Direct memberships: those in groups, then those in projects, by ID.',
    },
  }),
}
