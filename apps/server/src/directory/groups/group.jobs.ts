import { z } from 'zod'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { removeGroup, removeGroupKind } from './group-delete.service.ts'

const Payload = z.object({ groupId: z.int() })

/** Removes the contents of deleted groups. */
export const removeGroupJob: JobHandler = {
  kind: removeGroupKind,
  run: (app, payload, signal) => removeGroup(app, Payload.parse(payload).groupId, signal),
}
