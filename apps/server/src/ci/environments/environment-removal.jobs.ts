import { findEnvironment } from '@stithy/store'
import { z } from 'zod'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { removeEnvironment, removeEnvironmentKind } from './environment.service.ts'

const Named = z.object({ id: z.int(), projectId: z.int() })

/** Deletes an environment whose deletion was begun; there is nothing to do if it wasn't interrupted. */
export const removeEnvironmentJob: JobHandler = {
  kind: removeEnvironmentKind,
  async run(app, payload) {
    const environment = await findEnvironment(app.db, Named.parse(payload))
    if (environment !== undefined) await removeEnvironment(app, environment)
  },
}
