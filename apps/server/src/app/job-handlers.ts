import { removeOldEventsJob } from '../activity/events/event.jobs.ts'
import {
  notifyOfDueIssuesJob,
  notifyOfDueIssuesPageJob,
} from '../activity/notifications/due-issue.jobs.ts'
import { notifyJob } from '../activity/notifications/notification.jobs.ts'
import {
  notifyOfAccessRequestJob,
  notifyOfTransferJob,
} from '../activity/notifications/place.jobs.ts'
import { catchUpJob, indexRepositoryJob } from '../activity/search-index/search-index.jobs.ts'
import {
  deliverHookJob,
  hookEventJob,
  pushHooksJob,
  removeOldHookEventsJob,
  resumeHooksJob,
  systemEventsJob,
} from '../activity/webhooks/webhook.jobs.ts'
import { publishDeploymentJob } from '../ci/deployments/deployment.jobs.ts'
import { removeDeploymentRefsJob } from '../ci/environments/environment.jobs.ts'
import { removeEnvironmentJob } from '../ci/environments/environment-removal.jobs.ts'
import { discardReportJob, settleReportJob } from '../ci/vulnerabilities/security-report.jobs.ts'
import { removeMergedJob } from '../code/branches/branch.jobs.ts'
import { housekeepingJob, sweepRepositoriesJob } from '../code/housekeeping/housekeeping.jobs.ts'
import { importRepositoryJob } from '../code/imports/import.jobs.ts'
import { pushReconcileJob } from '../code/pushes/push.jobs.ts'
import { refreshRepositoryJob } from '../code/statistics/repository-statistics.jobs.ts'
import { deleteEndedSessionsJob } from '../directory/authentication/session.jobs.ts'
import { removeGroupJob } from '../directory/groups/group.jobs.ts'
import { expireMembersJob } from '../directory/members/member.jobs.ts'
import { deleteEndedGrantsJob, removeApplicationJob } from '../directory/oauth/oauth.jobs.ts'
import { verifyDomainJob, verifyDomainsJob } from '../directory/pages-domains/pages-domain.jobs.ts'
import { removeProjectJob } from '../directory/projects/project.jobs.ts'
import { requestConfirmationJob } from '../directory/users/mails/confirmation-request.ts'
import { requestPasswordResetJob } from '../directory/users/mails/password-reset.service.ts'
import { removeUserJob } from '../directory/users/user.jobs.ts'
import { leaveEpicsJob } from '../planning/epic-issues/epic-issue.jobs.ts'
import { refreshEpicDatesJob } from '../planning/epics/epic-dates.jobs.ts'
import { copyNotesJob } from '../planning/issues/copy/issue-copy.jobs.ts'
import { mergeLabelsJob } from '../planning/labels/label.jobs.ts'
import {
  mergeMilestonesJob,
  recordClearedMilestoneJob,
} from '../planning/milestones/milestone.jobs.ts'
import { removeHiddenTodosJob } from '../planning/todos/todo.jobs.ts'
import { removeReceivedFilesJob } from '../platform/http/received-files.ts'
import { deleteFinishedJobsJob } from '../platform/jobs/cleanup.jobs.ts'
import type { RecurringJob } from '../platform/jobs/recurring-jobs.ts'
import type { JobHandler } from '../platform/jobs/run-job.ts'
import { removeOldMailsJob, sendMailJob } from '../platform/mail/mail.jobs.ts'
import { approverTodosJob } from '../review/approvals/approver-todos.service.ts'
import { readCommitMessagesJob } from '../review/commit-messages/commit-message.jobs.ts'
import {
  closeMergedIssuesJob,
  closeMergeRequestsJob,
  completeMergeRequestJob,
  refreshMergeRequestsJob,
  removeMergeRequestRefsJob,
} from '../review/merge-requests/merge-request.jobs.ts'
import { mergingJobs } from '../review/merging/merging.jobs.ts'
import { updatePositionsJob } from '../review/positions/position.jobs.ts'
import { applyPushOptionsJob } from '../review/push-options/push-options.jobs.ts'
import { finishDeletionJob } from './finish-deletion.jobs.ts'
import { countActiveUsersJob } from './license/license.jobs.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Handlers of all job kinds. */
export const jobHandlers: readonly JobHandler[] = [
  applyPushOptionsJob,
  approverTodosJob,
  catchUpJob,
  closeMergedIssuesJob,
  closeMergeRequestsJob,
  copyNotesJob,
  countActiveUsersJob,
  deliverHookJob,
  expireMembersJob,
  hookEventJob,
  importRepositoryJob,
  indexRepositoryJob,
  deleteEndedGrantsJob,
  deleteEndedSessionsJob,
  deleteFinishedJobsJob,
  discardReportJob,
  finishDeletionJob,
  housekeepingJob,
  leaveEpicsJob,
  notifyJob,
  notifyOfAccessRequestJob,
  notifyOfDueIssuesJob,
  notifyOfDueIssuesPageJob,
  notifyOfTransferJob,
  publishDeploymentJob,
  pushHooksJob,
  pushReconcileJob,
  readCommitMessagesJob,
  refreshEpicDatesJob,
  refreshMergeRequestsJob,
  refreshRepositoryJob,
  removeApplicationJob,
  removeDeploymentRefsJob,
  removeEnvironmentJob,
  removeGroupJob,
  removeReceivedFilesJob,
  removeHiddenTodosJob,
  removeMergeRequestRefsJob,
  removeMergedJob,
  removeOldEventsJob,
  removeOldHookEventsJob,
  removeOldMailsJob,
  removeProjectJob,
  removeUserJob,
  requestConfirmationJob,
  requestPasswordResetJob,
  resumeHooksJob,
  systemEventsJob,
  completeMergeRequestJob,
  sendMailJob,
  settleReportJob,
  sweepRepositoriesJob,
  mergeLabelsJob,
  mergeMilestonesJob,
  ...mergingJobs,
  recordClearedMilestoneJob,
  updatePositionsJob,
  verifyDomainJob,
  verifyDomainsJob,
]

/** Jobs that the server schedules periodically. */
export const recurringJobs: readonly RecurringJob[] = [
  { kind: catchUpJob.kind, everyMs: day },
  { kind: countActiveUsersJob.kind, everyMs: day },
  { kind: expireMembersJob.kind, everyMs: day },
  { kind: notifyOfDueIssuesJob.kind, everyMs: day, offsetMs: 50 * minute },
  { kind: deleteEndedGrantsJob.kind, everyMs: day },
  { kind: deleteEndedSessionsJob.kind, everyMs: day },
  { kind: deleteFinishedJobsJob.kind, everyMs: day },
  { kind: removeOldEventsJob.kind, everyMs: day },
  { kind: removeOldHookEventsJob.kind, everyMs: day },
  { kind: removeOldMailsJob.kind, everyMs: day },
  { kind: resumeHooksJob.kind, everyMs: day / 24 },
  { kind: removeReceivedFilesJob.kind, everyMs: day },
  { kind: sweepRepositoriesJob.kind, everyMs: day },
  { kind: verifyDomainsJob.kind, everyMs: day / 24 },
]
