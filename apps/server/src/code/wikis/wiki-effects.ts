import type { Transaction } from '@stithy/store'
import { touchUser } from '../../directory/users/activity.service.ts'
import type { Change } from '../../platform/changes/change.ts'
import { countPushForHousekeeping } from '../housekeeping/housekeeping.service.ts'
import { enqueueRefresh } from '../statistics/repository-statistics.jobs.ts'

/** Updates `last_activity_on` of who wrote to a wiki. */
export async function touchWikiWriter(
  tx: Transaction,
  { userId, now }: Change<'wiki.changed'>,
): Promise<void> {
  await touchUser(tx, userId, now)
}

/** Enqueues a job that measures the size of the wiki. */
export async function refreshWiki(
  tx: Transaction,
  { projectId, now }: Change<'wiki.changed'>,
): Promise<void> {
  await enqueueRefresh(tx, projectId, now)
}

export async function countWikiForHousekeeping(
  tx: Transaction,
  { projectId, now }: Change<'wiki.changed'>,
): Promise<void> {
  await countPushForHousekeeping(tx, projectId, now)
}
