import { type SystemNote, type TimeStats, validationFailed } from '@stithy/core'
import {
  addToTimeSpent,
  findTimeSpent,
  insertTimeLog,
  saveTimeEstimate,
  type TrackedTime,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { recordColumnUpdate } from '../items/changes/record-update.ts'
import { withColumns } from '../items/changes/work-item-type.ts'
import type { WorkItem } from '../items/item.ts'
import { presentTime } from './time-tracking.presenter.ts'

/** A change of the tracked time of an item, by whom and when. */
interface TimeChange {
  item: WorkItem
  userId: number
  /** Milliseconds. */
  at: number
}

/**
 * Sets the estimate of an item that the caller may update; 0 removes it. @param seconds 0 or more
 */
export async function setEstimate(
  app: App,
  caller: Caller,
  item: WorkItem,
  seconds: number,
): Promise<TimeStats> {
  const change = { item, userId: requireCaller(caller).id, at: app.now() }
  return app.db.transaction(async (tx) => {
    const time = await saveTimeEstimate(tx, targetOf(item), { seconds, at: change.at })
    if (time === undefined) return presentTime({ ...item.row, timeEstimate: seconds })
    await recordTime(tx, change, time, { action: 'time_estimate_changed', seconds })
    return presentTime(time)
  })
}

/**
 * Adds to the time spent on an item that the caller may update; negative seconds subtract.
 * @param options.on the day on which it was spent, `YYYY-MM-DD`; today by default
 * @throws DomainError `validation_failed` if more would be subtracted than was spent.
 */
export async function addSpentTime(
  app: App,
  caller: Caller,
  item: WorkItem,
  seconds: number,
  { on }: { on?: string | undefined } = {},
): Promise<TimeStats> {
  if (seconds === 0) return presentTime(item.row)
  const change = { item, userId: requireCaller(caller).id, at: app.now() }
  return app.db.transaction(async (tx) => {
    const note = { action: 'time_spent_changed', seconds, on } as const
    const time = await spend(tx, change, seconds, { note, on })
    return presentTime(time)
  })
}

/** Removes all time spent on an item that the caller may update. */
export async function resetSpentTime(app: App, caller: Caller, item: WorkItem): Promise<TimeStats> {
  const change = { item, userId: requireCaller(caller).id, at: app.now() }
  return app.db.transaction(async (tx) => {
    const spent = (await findTimeSpent(tx, targetOf(item))) ?? 0
    if (spent === 0) return presentTime({ ...item.row, totalTimeSpent: 0 })
    const time = await spend(tx, change, -spent, { note: { action: 'time_spent_removed' } })
    return presentTime(time)
  })
}

async function spend(
  tx: Transaction,
  change: TimeChange,
  seconds: number,
  { note, on }: { note: SystemNote; on?: string | undefined },
): Promise<TrackedTime> {
  const { item, userId, at } = change
  const time = await addToTimeSpent(tx, targetOf(item), { seconds, at })
  if (time === undefined) {
    throw validationFailed({ time_spent: ['Time to subtract exceeds the total time spent'] })
  }
  await insertTimeLog(tx, {
    projectId: item.project.row.id,
    targetType: item.type,
    targetId: item.row.id,
    userId,
    seconds,
    spentOn: on ?? dayOf(at),
    createdAt: at,
  })
  await recordTime(tx, change, time, note)
  return time
}

async function recordTime(
  tx: Transaction,
  { item, userId, at }: TimeChange,
  time: TrackedTime,
  note: SystemNote,
): Promise<void> {
  const { timeEstimate, totalTimeSpent, updatedAt } = item.row
  const previous = { timeEstimate, totalTimeSpent, updatedAt }
  const update = { item: withColumns(item, time), previous, notes: [note] }
  await recordColumnUpdate(tx, update, { userId, at, now: at })
}

function targetOf({ type, row }: WorkItem) {
  return { type, id: row.id }
}
