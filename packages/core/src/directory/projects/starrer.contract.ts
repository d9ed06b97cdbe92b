import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { optional, text, timestamp } from '../../platform/contract/fields.ts'
import { UserRef } from '../users/user.schema.ts'

/** A user who starred a project. */
export const Starrer = z.object({ starred_since: timestamp, user: UserRef })
export type Starrer = z.output<typeof Starrer>

/** The users who starred a project. */
export const starrersContract = {
  list: endpoint({
    name: 'projects.starrers.list',
    method: 'GET',
    path: '/projects/:id/starrers',
    query: z.object(optional({ search: text() })),
    paginated: true,
    response: { 200: z.array(Starrer) },
    auth: { on: 'project', ability: 'read_project' },
    docs: {
      summary: 'List users who starred a project',
      description: 'Newest first. Only administrators see users with a private profile.',
    },
  }),
}
