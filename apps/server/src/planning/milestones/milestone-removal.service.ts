import {
  clearMilestone,
  deleteMilestone,
  enqueueJob,
  listProjectsWithMilestone,
  type MilestoneRow,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import {
  type ClearedMilestone,
  loadProjects,
  recordClearedMilestone,
} from './cleared-milestone.service.ts'

/** The job that records the removal of a deleted milestone from a batch of items. */
export const recordClearedMilestoneKind = 'milestones.record-cleared'

/** Items recorded within the call, or in each job for a larger milestone. */
const batchSize = 200
/** The maximum number of projects to load within the call. */
const maxProjects = 20

/**
 * Deletes a milestone and removes it from all items at once. For a large milestone, jobs write the
 * system notes and webhooks afterwards.
 */
export async function removeMilestone(
  app: App,
  caller: Caller,
  milestone: MilestoneRow,
): Promise<void> {
  const at = app.now()
  const { id: milestoneId } = milestone
  const userId = requireCaller(caller).id
  const ids = await listProjectsWithMilestone(app.db, { milestoneId, limit: batchSize })
  const projects = await loadProjects(app, caller, ids.slice(0, maxProjects))
  await app.db.transaction(async (tx) => {
    for (const type of ['issue', 'merge_request'] as const) {
      const cleared = await clearMilestone(tx, type, { milestoneId, at })
      const clearing = { type, milestoneId, userId, at, ids: cleared.map((item) => item.id) }
      const isSmall = cleared.every((item) => projects.has(item.projectId))
      if (isSmall && cleared.length <= batchSize)
        await recordClearedMilestone(tx, projects, clearing)
      else await enqueueRecording(tx, clearing)
    }
    if (!(await deleteMilestone(tx, milestoneId))) return
    await recordChange(tx, { kind: 'milestone.deleted', userId, at, now: at, milestone })
  })
}

async function enqueueRecording(tx: Transaction, clearing: ClearedMilestone): Promise<void> {
  const ids = clearing.ids.toSorted((a, b) => a - b)
  for (let start = 0; start < ids.length; start += batchSize) {
    const payload: ClearedMilestone = { ...clearing, ids: ids.slice(start, start + batchSize) }
    await enqueueJob(
      tx,
      { queue: 'default', kind: recordClearedMilestoneKind, payload },
      clearing.at,
    )
  }
}
