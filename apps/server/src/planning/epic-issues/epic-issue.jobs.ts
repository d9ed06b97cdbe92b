import { setImmediate } from 'node:timers/promises'
import { takeIssuesOfLeftGroups } from '@stithy/store'
import { z } from 'zod'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { leaveEpicsKind, leavingCount } from './epic-issue-effects.ts'

const Payload = z.object({ projectId: z.int(), after: z.int() })

/** Takes the issues of a transferred project out of epics, some in each transaction. */
export const leaveEpicsJob: JobHandler = {
  kind: leaveEpicsKind,
  async run(app, payload) {
    const { projectId, after: first } = Payload.parse(payload)
    let after: number | undefined = first
    while (after !== undefined) {
      const some: { projectId: number; after: number } = { projectId, after }
      after = await app.db.transaction((tx) =>
        takeIssuesOfLeftGroups(tx, { ...some, limit: leavingCount }),
      )
      await setImmediate()
    }
  },
}
