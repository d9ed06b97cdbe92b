import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { refreshEpicDatesKind, refreshSomeDates } from './epic-date-effects.ts'

const Payload = z.object({ milestoneId: z.int(), after: z.int() })

/** Brings the dates of the epics of a milestone up to date, some in each transaction. */
export const refreshEpicDatesJob: JobHandler = {
  kind: refreshEpicDatesKind,
  async run(app, payload) {
    const { milestoneId, after: first } = Payload.parse(payload)
    let after: number | undefined = first
    while (after !== undefined) {
      const from: { milestoneId: number; after: number } = { milestoneId, after }
      after = await app.db.transaction((tx) => refreshSomeDates(tx, from))
      await setImmediate()
    }
  },
}
