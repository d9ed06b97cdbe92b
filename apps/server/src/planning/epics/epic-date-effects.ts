import {
  enqueueJob,
  listEpicIdsOfIssues,
  listEpicIdsOfMilestone,
  type Transaction,
  touchEpicDates,
} from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'

/** The job that brings the dates of the epics of a milestone up to date. */
export const refreshEpicDatesKind = 'epics.refresh-dates'

/** Epics of one transaction. */
export const refreshedCount = 100

/** The dates of an epic follow the milestones of its issues. */
export async function refreshDatesOfEpic(
  tx: Transaction,
  { before, item }: Change<'issue.updated'>,
): Promise<void> {
  if (before.row.milestoneId === item.row.milestoneId) return
  touchEpicDates(tx, await listEpicIdsOfIssues(tx, [item.row.id]))
}

/** The epics of a milestone: the first ones at once, others by a job. */
export async function refreshDatesOfMilestone(
  tx: Transaction,
  { milestoneId, now }: Change<'milestone.rescheduled'>,
): Promise<void> {
  const after = await refreshSomeDates(tx, { milestoneId, after: 0 })
  if (after === undefined) return
  const payload = { milestoneId, after }
  await enqueueJob(tx, { queue: 'default', kind: refreshEpicDatesKind, payload }, now)
}

/**
 * Refreshes the dates of the epics of a milestone after one; returns the last one of these if there
 * may be more.
 */
export async function refreshSomeDates(
  tx: Transaction,
  from: { milestoneId: number; after: number },
): Promise<number | undefined> {
  const ids = await listEpicIdsOfMilestone(tx, { ...from, limit: refreshedCount })
  touchEpicDates(tx, ids)
  return ids.length < refreshedCount ? undefined : ids.at(-1)
}
