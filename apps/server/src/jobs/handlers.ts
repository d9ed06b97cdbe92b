import { removeMergedJob } from '../branches/branch.jobs.ts'
import { readCommitMessagesJob } from '../commit-messages/commit-message.jobs.ts'
import { removeOldEventsJob } from '../events/event.jobs.ts'
import { removeGroupJob } from '../groups/group.jobs.ts'
import { expireMembersJob } from '../members/member.jobs.ts'
import {
  closeMergedIssuesJob,
  refreshMergeRequestsJob,
  settleMergeRequestJob,
} from '../merge-requests/merge-request.jobs.ts'
import { tellUnplannedJob } from '../milestones/milestone.jobs.ts'
import { removeProjectJob } from '../projects/project.jobs.ts'
import { pushReconcileJob } from '../pushes/push.jobs.ts'
import { refreshRepositoryJob } from '../repositories/repository.jobs.ts'
import { removeHiddenTodosJob } from '../todos/todo.jobs.ts'
import { housekeepRepositoryJob, sweepRepositoriesJob } from '../upkeep/upkeep.jobs.ts'
import { removeUserJob } from '../users/user.jobs.ts'
import {
  deliverHookJob,
  hookEventJob,
  pushHooksJob,
  removeOldHookEventsJob,
} from '../webhooks/webhook.jobs.ts'
import { housekeepingJob } from './housekeeping.jobs.ts'
import type { JobHandler, RecurringJob } from './worker.ts'

const day = 24 * 60 * 60_000

/** Every kind of job that this program can run. */
export const jobHandlers: readonly JobHandler[] = [
  closeMergedIssuesJob,
  deliverHookJob,
  expireMembersJob,
  hookEventJob,
  housekeepingJob,
  housekeepRepositoryJob,
  pushHooksJob,
  pushReconcileJob,
  readCommitMessagesJob,
  refreshMergeRequestsJob,
  refreshRepositoryJob,
  removeGroupJob,
  removeHiddenTodosJob,
  removeMergedJob,
  removeOldEventsJob,
  removeOldHookEventsJob,
  removeProjectJob,
  removeUserJob,
  settleMergeRequestJob,
  sweepRepositoriesJob,
  tellUnplannedJob,
]

/** Jobs that the program itself sets going, again and again. */
export const recurringJobs: readonly RecurringJob[] = [
  { kind: expireMembersJob.kind, everyMs: day },
  { kind: housekeepingJob.kind, everyMs: day },
  { kind: removeOldEventsJob.kind, everyMs: day },
  { kind: removeOldHookEventsJob.kind, everyMs: day },
  { kind: sweepRepositoriesJob.kind, everyMs: day },
]
