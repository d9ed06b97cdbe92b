import { z } from 'zod'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { removeProject } from './change/project-delete.service.ts'
import { removeProjectKind } from './create/project-create.service.ts'

const Payload = z.object({ projectId: z.int() })

/** Removes the contents of deleted projects and abandoned drafts. */
export const removeProjectJob: JobHandler = {
  kind: removeProjectKind,
  run: async (app, payload) => removeProject(app, Payload.parse(payload).projectId),
}
