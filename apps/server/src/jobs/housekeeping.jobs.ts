import { deleteEndedSessions, deleteFinishedJobs } from '@stithy/store'
import type { App } from '../app.ts'

const day = 24 * 60 * 60_000

/** Forgets what is over: jobs that were done a day ago, and sessions that have ended. */
export const housekeepingJob = {
  kind: 'housekeeping',
  async run(app: App): Promise<void> {
    const now = app.now()
    await app.db.transaction((tx) => deleteFinishedJobs(tx, now - day))
    await app.db.transaction((tx) => deleteEndedSessions(tx, now))
  },
}
