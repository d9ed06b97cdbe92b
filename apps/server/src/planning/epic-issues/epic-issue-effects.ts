import {
  enqueueJob,
  findEpicIssueLink,
  lockItemRow,
  replaceIssueInEpic,
  type Transaction,
  takeIssuesOfLeftGroups,
} from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { findEpicItem } from '../epics/epic-lookup.service.ts'
import { holdWithin, take } from './epic-issue.service.ts'

/**
 * The copy of a moved issue takes its place in its epic. If it is in a project that the epic's group
 * doesn't contain, the issue leaves the epic instead.
 */
export async function moveIssueWithinEpic(
  tx: Transaction,
  { source, item, userId, at, now }: Change<'issue.moved'>,
): Promise<void> {
  const link = await findEpicIssueLink(tx, source.row.id)
  const epic = link && (await findEpicItem(tx, link.epicId))
  if (link === undefined || epic === undefined) return
  if (!(await holdWithin(tx, item, epic))) {
    return take(tx, epic, source, link, { userId, at, now })
  }
  await lockItemRow(tx, { type: 'epic', id: link.epicId })
  await replaceIssueInEpic(tx, link, item.row)
}

/** The job that takes the issues of a transferred project out of epics. */
export const leaveEpicsKind = 'epic-issues.leave'

/** Issues of one transaction. */
export const leavingCount = 1000

/** The issues of a transferred project leave the epics of groups that no longer contain it. */
export async function leaveEpicsOfFormerGroups(
  tx: Transaction,
  { projectId, now }: Change<'project.transferred'>,
): Promise<void> {
  const after = await takeIssuesOfLeftGroups(tx, { projectId, after: 0, limit: leavingCount })
  if (after === undefined) return
  const payload = { projectId, after }
  await enqueueJob(tx, { queue: 'default', kind: leaveEpicsKind, payload }, now)
}
