import { humanDuration, type TimeStats, validationFailed } from '@stithy/core'
import {
  addToTimeSpent,
  findTimeSpent,
  insertTimeLog,
  saveTimeEstimate,
  type TrackedTime,
  type Transaction,
  touchStamp,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { hookChanges } from '../issues/write/issue-columns.ts'
import type { WorkItem } from '../items/item.ts'
import { dayOf } from '../members/day.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { remark } from '../system-notes/system-note.service.ts'
import { announceIssue } from '../webhooks/item-hooks.ts'
import { presentTime } from './time-tracking.presenter.ts'

/** A change of the time of an item, by whom and when. */
interface TimeChange {
  item: WorkItem
  userId: number
  /** Milliseconds. */
  at: number
}

/** Estimates the time of an item that the caller may update; 0 removes the estimate. @param seconds at least 0 */
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
    const human = humanDuration(seconds)
    const body = human === null ? 'removed time estimate' : `changed time estimate to ${human}`
    await follow(tx, change, time, body)
    tx.onCommit(app.wakeWorker)
    return presentTime(time)
  })
}

/**
 * Adds to the time spent on an item that the caller may update; below zero it is taken back.
 * @param options.on the day on which it was spent, `YYYY-MM-DD`; today where it is left out
 * @throws DomainError `validation_failed` where more would be taken back than was spent.
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
    const verb = seconds > 0 ? 'added' : 'subtracted'
    const day = on === undefined ? '' : ` at ${on}`
    const body = `${verb} ${humanDuration(Math.abs(seconds))} of time spent${day}`
    const time = await spend(tx, change, seconds, { body, on })
    tx.onCommit(app.wakeWorker)
    return presentTime(time)
  })
}

/** Takes back all time spent on an item that the caller may update. */
export async function resetSpentTime(app: App, caller: Caller, item: WorkItem): Promise<TimeStats> {
  const change = { item, userId: requireCaller(caller).id, at: app.now() }
  return app.db.transaction(async (tx) => {
    const spent = (await findTimeSpent(tx, targetOf(item))) ?? 0
    if (spent === 0) return presentTime({ ...item.row, totalTimeSpent: 0 })
    const time = await spend(tx, change, -spent, { body: 'removed time spent' })
    tx.onCommit(app.wakeWorker)
    return presentTime(time)
  })
}

async function spend(
  tx: Transaction,
  change: TimeChange,
  seconds: number,
  { body, on }: { body: string; on?: string | undefined },
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
  await follow(tx, change, time, body)
  return time
}

/** The remark and the hooks that tell of a change (catalogue: issues, 3 and 4). */
async function follow(
  tx: Transaction,
  { item, userId, at }: TimeChange,
  time: TrackedTime,
  body: string,
): Promise<void> {
  await remark(tx, item, { authorId: userId, body, at })
  if (item.type === 'issue') {
    const row = { ...item.row, ...time }
    await announceIssue(tx, {
      row,
      action: 'update',
      userId,
      at,
      changes: hookChanges(item.row, row),
    })
  }
  await touchStamp(tx, item.type === 'issue' ? 'issues' : 'mergeRequests')
}

function targetOf({ type, row }: WorkItem) {
  return { type, id: row.id }
}
