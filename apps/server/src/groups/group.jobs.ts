import { z } from 'zod'
import type { JobHandler } from '../jobs/worker.ts'
import { removeGroup, removeGroupKind } from './group-delete.service.ts'

const Payload = z.object({ groupId: z.int() })

/** Removes what a deleted group left behind. */
export const removeGroupJob: JobHandler = {
  kind: removeGroupKind,
  run: (app, payload, signal) => removeGroup(app, Payload.parse(payload).groupId, signal),
}
