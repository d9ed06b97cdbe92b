import {
  clearMilestone,
  deleteMilestone,
  enqueueJob,
  forgetEventTarget,
  listPlannedProjects,
  type MilestoneRow,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { recordMilestoneEvent } from './milestone.service.ts'
import { loadProjects, tellUnplanned, type Unplanning } from './unplanning.service.ts'

/** The job that tells of things that a milestone was taken from. */
export const tellUnplannedKind = 'milestones.tell-unplanned'

/** So many things are told of with the call; where there are more, jobs tell of them, so many each. */
const batch = 200
/** In so many projects at most. */
const maxProjects = 20

/**
 * Deletes a milestone (catalogue: planning, 1). Everything has it no more from then on; the remarks and the hooks of
 * a large one follow in jobs.
 */
export async function removeMilestone(
  app: App,
  caller: Caller,
  milestone: MilestoneRow,
): Promise<void> {
  const at = app.now()
  const { id: milestoneId, projectId } = milestone
  const userId = requireCaller(caller).id
  const ids = await listPlannedProjects(app.db, { milestoneId, limit: batch })
  const projects = await loadProjects(app, caller, ids.slice(0, maxProjects))
  await app.db.transaction(async (tx) => {
    for (const type of ['issue', 'merge_request'] as const) {
      const cleared = await clearMilestone(tx, type, { milestoneId, at })
      const told = { type, milestoneId, userId, at, ids: cleared.map((item) => item.id) }
      const isSmall = cleared.every((item) => projects.has(item.projectId))
      if (isSmall && cleared.length <= batch) await tellUnplanned(tx, projects, told)
      else await tellLater(tx, told)
    }
    if (!(await deleteMilestone(tx, milestoneId))) return
    const event = { action: 'destroyed', authorId: userId, createdAt: at } as const
    await recordMilestoneEvent(tx, milestone, event)
    if (projectId === null) return
    await forgetEventTarget(tx, { projectId, type: 'milestone', id: milestoneId })
  })
  app.wakeWorker()
}

async function tellLater(tx: Transaction, told: Unplanning): Promise<void> {
  const ids = told.ids.toSorted((a, b) => a - b)
  for (let start = 0; start < ids.length; start += batch) {
    const payload: Unplanning = { ...told, ids: ids.slice(start, start + batch) }
    await enqueueJob(tx, { queue: 'default', kind: tellUnplannedKind, payload }, told.at)
  }
}
