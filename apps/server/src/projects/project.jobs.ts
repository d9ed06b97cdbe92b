import { z } from 'zod'
import type { JobHandler } from '../jobs/worker.ts'
import { removeProject } from './change/project-delete.service.ts'
import { removeProjectKind } from './create/project-create.service.ts'

const Payload = z.object({ projectId: z.int() })

/** Removes what a deleted project, or a creation that a crash cut short, left behind. */
export const removeProjectJob: JobHandler = {
  kind: removeProjectKind,
  run: async (app, payload) => removeProject(app, Payload.parse(payload).projectId),
}
