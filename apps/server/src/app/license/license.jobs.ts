import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { recordActiveUsers } from './license.service.ts'

/** Counts the active users, daily: a license shows the highest number so far. */
export const countActiveUsersJob: JobHandler = {
  kind: 'license.count-active-users',
  run: async (app) => {
    await recordActiveUsers(app)
  },
}
