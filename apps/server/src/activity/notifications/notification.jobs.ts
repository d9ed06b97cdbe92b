import { anonymous, wantsNotification } from '@stithy/core'
import { listChosenLevels, type NewMail } from '@stithy/store'
import type { Item } from '../../planning/items/item.ts'
import { filterReaders } from '../../planning/items/readers.service.ts'
import type { App } from '../../platform/app.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { enqueueMails } from '../../platform/mail/mail.ts'
import { type Candidates, findCandidates, placeOf } from './candidates.service.ts'
import { levelOf } from './chosen-level.ts'
import { isDueTomorrow } from './due-issue.ts'
import {
  type NotificationJob,
  type NotificationPayload,
  type NotifiedPart,
  notificationKind,
  notifyKind,
} from './notification.ts'
import { loadTarget } from './notified-item.ts'

/** Users whose level and rights are read at a time, and whose mails one transaction stores. */
const batch = 100

/**
 * Finds the recipients of a change, and enqueues a mail for each. Run again, it enqueues those that
 * are missing.
 */
export const notifyJob: JobHandler = {
  kind: notifyKind,
  async run(app, payload, signal) {
    const job = payload as NotificationJob
    const item = await loadTarget(app, job.target, { facts: anonymous })
    if (item === undefined) return
    for (const part of job.parts) await notify(app, item, job, part, signal)
  },
}

async function notify(
  app: App,
  item: Item,
  job: NotificationJob,
  part: NotifiedPart,
  signal: AbortSignal,
): Promise<void> {
  if (part.dueDate !== undefined && !isDueTomorrow(app, item, part.dueDate)) return
  const candidates = await findCandidates(app, item, { part, actorId: job.actorId })
  const userIds = [...candidates.keys()].toSorted((a, b) => a - b)
  for (let start = 0; start < userIds.length; start += batch) {
    signal.throwIfAborted()
    const some = userIds.slice(start, start + batch)
    const recipients = await filterRecipients(app, item, part, { candidates, userIds: some })
    const mails = recipients.map((userId) => mailTo(userId, job, part, candidates))
    await app.db.transaction((tx) => enqueueMails(tx, mails, app.now()))
  }
}

/** Those who want to be told and may read the item. Two queries. */
async function filterRecipients(
  app: App,
  item: Item,
  { event }: NotifiedPart,
  { candidates, userIds }: { candidates: Candidates; userIds: readonly number[] },
): Promise<number[]> {
  const levels = levelOf(await listChosenLevels(app.db, { ...placeOf(item), userIds }))
  const willing = userIds.filter((userId) => {
    const candidate = candidates.get(userId)
    return candidate !== undefined && wantsNotification(levels(userId), event, candidate)
  })
  const readers = await filterReaders(app, item, willing)
  return willing.filter((userId) => readers.has(userId))
}

function mailTo(
  userId: number,
  { key, actorId, target, noteId }: NotificationJob,
  { event, previousAssigneeIds, newLabelIds, dueDate }: NotifiedPart,
  candidates: Candidates,
): NewMail {
  const reason = candidates.get(userId)?.reason
  const payload: NotificationPayload = {
    event,
    actorId,
    target,
    noteId,
    previousAssigneeIds,
    newLabelIds,
    dueDate,
    reason,
  }
  return { key: `${key}:${event}:${userId}`, kind: notificationKind, userId, payload }
}
