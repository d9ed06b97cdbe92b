import { z } from 'zod'
import { importRepositoryKind } from '../../directory/imports/schedule-import.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { importRepository } from './import.service.ts'

const Payload = z.object({ projectId: z.int() })

/** Imports the repository of a new project from another server. */
export const importRepositoryJob: JobHandler = {
  kind: importRepositoryKind,
  run: (app, payload, signal) => importRepository(app, Payload.parse(payload).projectId, signal),
}
