import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { integer } from '../contract/fields.ts'
import { milestoneEndpoints } from './milestone-endpoints.ts'

const admin = { on: 'project', ability: 'admin_milestones' } as const

/** Milestones of a project (catalogue: planning, 1); `milestone_id` is the global id. */
export const milestonesContract = {
  ...milestoneEndpoints({
    path: '/projects/:id/milestones',
    read: { on: 'project', ability: 'read_milestones' },
    admin,
    a: 'a project',
  }),
  promote: endpoint({
    method: 'POST',
    path: '/projects/:id/milestones/:milestone_id/promote',
    params: z.object({ milestone_id: integer() }),
    response: { 200: null },
    auth: admin,
    errors: ['bad_request', 'not_found'],
    docs: {
      summary: 'Make a milestone of the project one of its group',
      tag: 'Milestones',
      description: 'Milestones of the same title in the projects of the group become one with it.',
    },
  }),
}

/** Milestones of a group (catalogue: planning, 1; groups, Milestones). */
export const groupMilestonesContract = milestoneEndpoints({
  path: '/groups/:id/milestones',
  read: { on: 'group', ability: 'read_group_milestones' },
  admin: { on: 'group', ability: 'admin_group_milestones' },
  a: 'a group',
})
