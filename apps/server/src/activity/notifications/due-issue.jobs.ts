import {
  type DueIssue,
  enqueueJob,
  enqueueOnce,
  listDueIssues,
  type Transaction,
} from '@stithy/store'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { tomorrow } from './due-issue.ts'
import { type NotificationJob, notifyKind } from './notification.ts'

/** The issues of a day after one of them. */
interface DueIssuesPage {
  /** `YYYY-MM-DD` */
  dueDate: string
  /** Ids above this one. */
  after: number
}

const pageKind = 'notifications.due_issues_page'

/** Tells of the issues that are due tomorrow; scheduled once a day. */
export const notifyOfDueIssuesJob: JobHandler = {
  kind: 'notifications.due_issues',
  async run(app, _payload, _signal, job) {
    if (app.config.mail === undefined) return
    const first: DueIssuesPage = { dueDate: tomorrow(app), after: 0 }
    await app.db.transaction(async (tx) => {
      await enqueueOnce(tx, { queue: 'default', kind: pageKind, payload: first }, app.now())
      await job.complete(tx)
    })
  },
}

/** Issues of one job. */
const pageSize = 100

/**
 * Enqueues a job for each issue of a page, which finds the recipients, and then one for the next
 * page: so there are never more jobs than those of a page before what others enqueue.
 */
export const notifyOfDueIssuesPageJob: JobHandler = {
  kind: pageKind,
  async run(app, payload, _signal, job) {
    const { dueDate, after } = payload as DueIssuesPage
    if (dueDate !== tomorrow(app)) return
    const issues = await listDueIssues(app.db, { dueDate, after, limit: pageSize })
    const last = issues.at(-1)
    if (last === undefined) return
    const now = app.now()
    await app.db.transaction(async (tx) => {
      for (const issue of issues) {
        if (!issue.isInactive) await enqueueNotification(tx, issue, dueDate, now)
      }
      if (issues.length === pageSize) {
        const next: DueIssuesPage = { dueDate, after: last.id }
        await enqueueJob(tx, { queue: 'default', kind: pageKind, payload: next }, now)
      }
      await job.complete(tx)
    })
  },
}

async function enqueueNotification(
  tx: Transaction,
  { id, authorId }: DueIssue,
  dueDate: string,
  now: number,
): Promise<void> {
  const payload: NotificationJob = {
    // Of the day as well: an issue that is due on another day is told of again.
    key: `issue:${id}:${dueDate}`,
    actorId: authorId,
    target: { type: 'issue', id },
    parts: [{ event: 'issue_due', dueDate }],
  }
  await enqueueJob(tx, { queue: 'default', kind: notifyKind, payload }, now)
}
