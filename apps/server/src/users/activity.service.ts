import { touchActivity } from '@stithy/store'
import type { App } from '../app.ts'
import { dayOf } from '../members/day.ts'

interface SeenUsers {
  day: string
  ids: Set<number>
}

const seen = new WeakMap<App, SeenUsers>()

/**
 * Notes that a user was active today (catalogue: users, Activities), with at most one statement a day and
 * user: fetching is frequent. What cannot be noted is logged, for it is no reason to refuse anything.
 */
export async function noteActivity(app: App, userId: number): Promise<void> {
  const day = dayOf(app.now())
  const today = seenOn(app, day)
  if (today.has(userId)) return
  try {
    await touchActivity(app.db, userId, day)
    today.add(userId)
  } catch (error) {
    app.log.warn({ err: error, userId }, 'the activity of a user could not be noted')
  }
}

function seenOn(app: App, day: string): Set<number> {
  const known = seen.get(app)
  if (known?.day === day) return known.ids
  const ids = new Set<number>()
  seen.set(app, { day, ids })
  return ids
}
