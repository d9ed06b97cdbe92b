import {
  completeMilestoneMerge,
  enqueueJob,
  type MilestoneMerge,
  moveMilestoneItems,
  replaceMilestoneInProject,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { inBatches } from '../../platform/jobs/in-batches.ts'

/** The job that merges milestones of many items. */
export const mergeMilestonesKind = 'milestones.merge'

/** Items of one transaction. */
const batchSize = 200

/**
 * Replaces milestones by another one, and deletes them if that is everywhere. Milestones of many items are merged by a
 * job afterwards; items have the one or the other until then.
 */
export async function mergeMilestones(
  tx: Transaction,
  merge: MilestoneMerge,
  at: number,
): Promise<void> {
  const moved = await moveMilestoneItems(tx, { ...merge, limit: batchSize })
  if (moved < batchSize) return complete(tx, merge, at)
  await enqueueJob(tx, { queue: 'default', kind: mergeMilestonesKind, payload: merge }, at)
}

/** Merges milestones in as many transactions as it takes. Idempotent. */
export async function mergeMilestonesInBatches(app: App, merge: MilestoneMerge): Promise<void> {
  await inBatches(
    (limit) => app.db.transaction((tx) => moveMilestoneItems(tx, { ...merge, limit })),
    batchSize,
  )
  await app.db.transaction((tx) => mergeMilestones(tx, merge, app.now()))
}

async function complete(
  tx: Transaction,
  { from, into, projectId }: MilestoneMerge,
  at: number,
): Promise<void> {
  const by = { userId: null, at, now: at }
  await recordChange(tx, { kind: 'milestone.rescheduled', ...by, milestoneId: into })
  if (projectId === undefined) return completeMilestoneMerge(tx, { from, into })
  for (const id of from) await replaceMilestoneInProject(tx, { projectId, from: id, into })
}
