import { type Transaction, touchActivity } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'

interface ActiveUsers {
  day: string
  ids: Set<number>
}

const activeUsers = new WeakMap<App, ActiveUsers>()

/**
 * Records that a user was active today, with at most one statement per user and day: fetches are
 * frequent. Failures are logged and don't fail the request.
 */
export async function recordActivity(app: App, userId: number): Promise<void> {
  const day = dayOf(app.now())
  const today = activeUsersOn(app, day)
  if (today.has(userId)) return
  try {
    await touchActivity(app.db.asyncCommit, userId, day)
    today.add(userId)
  } catch (error) {
    app.log.warn({ err: error, userId }, 'recording the activity of a user failed')
  }
}

/** Updates `last_activity_on` of a user, in the transaction of what they did. */
export async function touchUser(tx: Transaction, userId: number, now: number): Promise<void> {
  await touchActivity(tx, userId, dayOf(now))
}

function activeUsersOn(app: App, day: string): Set<number> {
  const current = activeUsers.get(app)
  if (current?.day === day) return current.ids
  const ids = new Set<number>()
  activeUsers.set(app, { day, ids })
  return ids
}
