import { removeOldEventsJob } from '../events/event.jobs.ts'
import { removeGroupJob } from '../groups/group.jobs.ts'
import { expireMembersJob } from '../members/member.jobs.ts'
import { removeProjectJob } from '../projects/project.jobs.ts'
import { pushReconcileJob } from '../pushes/push.jobs.ts'
import { refreshRepositoryJob } from '../repositories/repository.jobs.ts'
import { removeUserJob } from '../users/user.jobs.ts'
import { housekeepingJob } from './housekeeping.jobs.ts'
import type { JobHandler, RecurringJob } from './worker.ts'

const day = 24 * 60 * 60_000

/** Every kind of job that this program can run. */
export const jobHandlers: readonly JobHandler[] = [
  expireMembersJob,
  housekeepingJob,
  pushReconcileJob,
  refreshRepositoryJob,
  removeGroupJob,
  removeOldEventsJob,
  removeProjectJob,
  removeUserJob,
]

/** Jobs that the program itself sets going, again and again. */
export const recurringJobs: readonly RecurringJob[] = [
  { kind: expireMembersJob.kind, everyMs: day },
  { kind: housekeepingJob.kind, everyMs: day },
  { kind: removeOldEventsJob.kind, everyMs: day },
]
