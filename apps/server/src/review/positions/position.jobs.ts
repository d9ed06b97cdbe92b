import { z } from 'zod'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { updatePositionsKind } from './position-effects.ts'
import { updatePositions } from './position-update.service.ts'

const Payload = z.object({ id: z.int(), userId: z.int().nullable() })

/** Brings the threads on the diff of a merge request to its latest version. */
export const updatePositionsJob: JobHandler = {
  kind: updatePositionsKind,
  run: (app, payload, signal) => updatePositions(app, Payload.parse(payload), signal),
}
