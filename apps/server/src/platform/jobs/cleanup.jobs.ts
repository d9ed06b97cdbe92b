import { deleteFinishedJobs } from '@stithy/store'
import type { App } from '../app.ts'
import { inBatches } from './in-batches.ts'

const hour = 60 * 60_000

/** Deletes jobs that were done an hour ago. */
export const deleteFinishedJobsJob = {
  kind: 'jobs.delete-finished',
  async run(app: App): Promise<void> {
    const before = app.now() - hour
    await inBatches((limit) => app.db.transaction((tx) => deleteFinishedJobs(tx, before, limit)))
  },
}
