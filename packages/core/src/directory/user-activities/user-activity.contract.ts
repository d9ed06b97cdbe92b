import { z } from 'zod'
import { date } from '../../platform/contract/date-fields.ts'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { day, optional } from '../../platform/contract/fields.ts'

/** The last day on which a user was active. */
export const UserActivity = z.object({
  username: z.string(),
  last_activity_on: day,
  /** The same day, under its older name. */
  last_activity_at: day,
})
export type UserActivity = z.output<typeof UserActivity>

/** When users were active. */
export const userActivitiesContract = {
  list: endpoint({
    name: 'users.activities.list',
    method: 'GET',
    path: '/user/activities',
    query: z.object(optional({ from: date() })),
    paginated: true,
    response: { 200: z.array(UserActivity) },
    auth: { on: 'instance', ability: 'administer', scope: ['api', 'read_user'] },
    docs: {
      summary: 'List the last activity of users',
      description:
        'Of users who were active since `from`, by default within the last six months; those who ' +
        'were active least recently come first. Signing in, and fetching and pushing with git, ' +
        'count as activity.',
    },
  }),
}
