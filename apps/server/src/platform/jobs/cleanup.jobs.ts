import { deleteFinishedJobs } from '@stithy/store'
import type { App } from '../app.ts'

const day = 24 * 60 * 60_000

/** Deletes jobs that were done a day ago. */
export const deleteFinishedJobsJob = {
  kind: 'jobs.delete-finished',
  async run(app: App): Promise<void> {
    await app.db.transaction((tx) => deleteFinishedJobs(tx, app.now() - day))
  },
}
