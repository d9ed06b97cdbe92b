import { findIssuesById, findMergeRequestsById } from '@stithy/store'
import { z } from 'zod'
import type { JobHandler } from '../jobs/worker.ts'
import { tellUnplannedKind } from './milestone-removal.service.ts'
import { loadProjects, tellUnplanned } from './unplanning.service.ts'

const Payload = z.object({
  type: z.enum(['issue', 'merge_request']),
  ids: z.array(z.int()),
  milestoneId: z.int(),
  userId: z.int(),
  at: z.int(),
})

/** Tells of a part of the issues or merge requests that had a large milestone which was deleted. */
export const tellUnplannedJob: JobHandler = {
  kind: tellUnplannedKind,
  async run(app, payload) {
    const told = Payload.parse(payload)
    const { userId } = told
    const find = told.type === 'issue' ? findIssuesById : findMergeRequestsById
    const rows: readonly { projectId: number }[] = await find(app.db, told.ids)
    const caller = { facts: { userId, admin: false, external: false } }
    const ids = new Set(rows.map((row) => row.projectId))
    const projects = await loadProjects(app, caller, [...ids])
    await app.db.transaction((tx) => tellUnplanned(tx, projects, told))
    app.wakeWorker()
  },
}
