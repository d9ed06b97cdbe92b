import { findIssuesById, findMergeRequestsById } from '@stithy/store'
import { z } from 'zod'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { loadProjects, recordClearedMilestone } from './cleared-milestone.service.ts'
import { mergeMilestonesInBatches, mergeMilestonesKind } from './milestone-merge.service.ts'
import { recordClearedMilestoneKind } from './milestone-removal.service.ts'

const Payload = z.object({
  type: z.enum(['issue', 'merge_request']),
  ids: z.array(z.int()),
  milestoneId: z.int(),
  userId: z.int(),
  at: z.int(),
})

/** Records the removal of a deleted milestone from one batch of issues or merge requests. */
export const recordClearedMilestoneJob: JobHandler = {
  kind: recordClearedMilestoneKind,
  async run(app, payload) {
    const clearing = Payload.parse(payload)
    const { userId } = clearing
    const find = clearing.type === 'issue' ? findIssuesById : findMergeRequestsById
    const rows: readonly { projectId: number }[] = await find(app.db, clearing.ids)
    const caller = { facts: { userId, admin: false, external: false } }
    const ids = new Set(rows.map((row) => row.projectId))
    const projects = await loadProjects(app, caller, [...ids])
    await app.db.transaction((tx) => recordClearedMilestone(tx, projects, clearing))
  },
}

const Merge = z.object({ from: z.array(z.int()), into: z.int(), projectId: z.int().optional() })

/** Merges milestones of many items. */
export const mergeMilestonesJob: JobHandler = {
  kind: mergeMilestonesKind,
  async run(app, payload) {
    const { projectId, ...merge } = Merge.parse(payload)
    await mergeMilestonesInBatches(app, projectId === undefined ? merge : { ...merge, projectId })
  },
}
