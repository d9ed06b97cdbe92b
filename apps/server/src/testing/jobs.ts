import type { JobOutcome } from '../platform/jobs/run-job.ts'

/** For handlers that a test calls without a job in the database. */
export const unrecordedJob: JobOutcome = {
  complete: async () => {},
  fail: async () => {},
  leaveSlot: () => true,
}
