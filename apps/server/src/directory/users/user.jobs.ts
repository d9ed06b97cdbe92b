import { z } from 'zod'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { finishRemoval, removeUserKind } from './user-removal.service.ts'

const Payload = z.object({ userId: z.int(), hard: z.boolean() })

/** Finishes the deletion of users. */
export const removeUserJob: JobHandler = {
  kind: removeUserKind,
  run: async (app, payload) => finishRemoval(app, Payload.parse(payload)),
}
