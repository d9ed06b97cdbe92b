import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer } from '../../platform/contract/fields.ts'
import { milestoneEndpoints } from './milestone-endpoints.ts'

const admin = { on: 'project', ability: 'admin_milestones' } as const

/** Milestones of a project; `milestone_id` is the global id. */
export const milestonesContract = {
  ...milestoneEndpoints({
    path: '/projects/:id/milestones',
    read: { on: 'project', ability: 'read_milestones' },
    admin,
    a: 'a project',
  }),
  promote: endpoint({
    name: 'milestones.promote',
    method: 'POST',
    path: '/projects/:id/milestones/:milestone_id/promote',
    params: z.object({ milestone_id: integer() }),
    response: { 200: null },
    auth: admin,
    errors: ['bad_request', 'not_found'],
    docs: {
      summary: 'Promote a project milestone to a group milestone',
      description:
        'Milestones with the same title in other projects of the group are merged into it.',
    },
  }),
}

/** Milestones of a group. */
export const groupMilestonesContract = milestoneEndpoints({
  path: '/groups/:id/milestones',
  read: { on: 'group', ability: 'read_group_milestones' },
  admin: { on: 'group', ability: 'admin_group_milestones' },
  a: 'a group',
})
