import { setImmediate } from 'node:timers/promises'
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
import { loadProjects, type Projects, recordClearedMilestone } from './cleared-milestone.service.ts'

/** The job that records the removal of a deleted milestone from a batch of items. */
export const recordClearedMilestoneKind = 'milestones.record-cleared'

/** Items of one transaction and of one job. */
const batchSize = 200
/** The maximum number of projects to load within the call. */
const maxProjects = 20
const types = ['issue', 'merge_request'] as const

/**
 * Deletes a milestone and removes it from all items. Of a milestone with many of them it goes in
 * batches, for which jobs write the system notes and webhooks afterwards.
 */
export async function removeMilestone(
  app: App,
  caller: Caller,
  milestone: MilestoneRow,
): Promise<void> {
  const { id: milestoneId } = milestone
  const ids = await listProjectsWithMilestone(app.db, { milestoneId, limit: batchSize })
  const projects = await loadProjects(app, caller, ids.slice(0, maxProjects))
  const removal = { milestone, projects, userId: requireCaller(caller).id, at: app.now() }
  while (!(await app.db.transaction((tx) => removeBatch(tx, removal)))) await setImmediate()
}

interface Removal {
  milestone: MilestoneRow
  /** Those of which items are recorded at once. */
  projects: Projects
  userId: number
  at: number
}

/** Clears a batch of items, and deletes the milestone after the last; returns whether it did. */
async function removeBatch(tx: Transaction, removal: Removal): Promise<boolean> {
  const { milestone, projects, userId, at } = removal
  const milestoneId = milestone.id
  let isLast = true
  for (const type of types) {
    const cleared = await clearMilestone(tx, type, { milestoneId, at, limit: batchSize })
    const isFull = cleared.length === batchSize
    const clearing = { type, milestoneId, userId, at, ids: cleared.map((item) => item.id) }
    if (isFull || !cleared.every((item) => projects.has(item.projectId))) {
      const job = { queue: 'default', kind: recordClearedMilestoneKind, payload: clearing } as const
      await enqueueJob(tx, job, at)
    } else await recordClearedMilestone(tx, projects, clearing)
    isLast &&= !isFull
  }
  if (isLast && (await deleteMilestone(tx, milestoneId))) {
    await recordChange(tx, { kind: 'milestone.deleted', userId, at, now: at, milestone })
  }
  return isLast
}
