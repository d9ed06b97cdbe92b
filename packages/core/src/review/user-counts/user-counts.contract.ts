import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'

/** How much waits for a user. */
export const UserCounts = z.object({
  /** Open merge requests that are assigned to them, except in archived projects. */
  merge_requests: z.int(),
})
export type UserCounts = z.output<typeof UserCounts>

/** How much waits for the current user. */
export const userCountsContract = {
  show: endpoint({
    name: 'userCounts.show',
    method: 'GET',
    path: '/user_counts',
    response: { 200: UserCounts },
    auth: {},
    docs: {
      summary: 'Count what is assigned to the current user',
      description:
        'Open merge requests in projects that are not archived and that the user can see.',
    },
  }),
}
