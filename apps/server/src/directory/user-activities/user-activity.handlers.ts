import type { userActivitiesContract } from '@stithy/core'
import { listUserActivities } from '@stithy/store'
import { dayOf, monthsBefore } from '../../platform/calendar/day.ts'
import type { Handlers } from '../../platform/http/call.ts'

/** How far back the list goes by default. */
const defaultMonths = 6

export const userActivityHandlers: Handlers<typeof userActivitiesContract> = {
  async list({ app, query, page }) {
    const from = query.from ?? monthsBefore(dayOf(app.now()), defaultMonths)
    const found = await listUserActivities(app.db, { from }, page)
    return {
      ...found,
      items: found.items.map(({ username, lastActivityOn }) => {
        const last = lastActivityOn ?? from
        return { username, last_activity_on: last, last_activity_at: last }
      }),
    }
  },
}
