import type { Item } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'

const day = 24 * 60 * 60_000

/** Tomorrow in UTC, `YYYY-MM-DD`. */
export function tomorrow(app: App): string {
  return dayOf(app.now() + day)
}

/**
 * Whether users are to be told now that an issue is due on a day: it still is, and it is the next
 * one. A day on which no server ran is not made up for.
 */
export function isDueTomorrow(app: App, item: Item, dueDate: string): boolean {
  return isDue(item, dueDate) && dueDate === tomorrow(app)
}

/** Whether a mail which tells of that may still be sent: until the end of the day, if it waited. */
export function isStillDue(app: App, item: Item, dueDate: string): boolean {
  return isDue(item, dueDate) && dueDate >= dayOf(app.now())
}

function isDue(item: Item, dueDate: string): boolean {
  if (item.type !== 'issue' || item.project.facts.archived) return false
  return item.row.state === 'opened' && item.row.dueDate === dueDate
}
