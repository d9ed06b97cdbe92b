export * from './activity/audit-events/audit-event-store.ts'
export * from './activity/event-streams/item-version-store.ts'
export type { EventFilter } from './activity/events/event-filter.ts'
export * from './activity/events/event-list.ts'
export * from './activity/events/event-store.ts'
export * from './activity/events/event-target-store.ts'
export * from './activity/events/group-event-list.ts'
export * from './activity/events/project-activity.ts'
export type { EventAccess } from './activity/events/project-event-access.ts'
export * from './activity/notification-settings/notification-setting-store.ts'
export * from './activity/notifications/recipient-store.ts'
export * from './activity/notifications/watcher-store.ts'
export * from './activity/search/milestone-search.ts'
export * from './activity/search/note-search.ts'
export * from './activity/search/snippet-search.ts'
export {
  type CandidateRequest,
  type CandidateRow,
  type CodeSearchScope,
  type CodeSearchSubject,
  listCandidates,
} from './activity/search-engine/candidate-search.ts'
export {
  addSearchedCommits,
  addSearchedFiles,
  type EntryIds,
  nextEntryIds,
  removeSearchedCommits,
  removeSearchedFiles,
  removeSomeEntries,
  type SearchedCommit,
  type SearchedFile,
} from './activity/search-engine/entry-store.ts'
export * from './activity/search-engine/index-statistics.ts'
export * from './activity/search-engine/readable-repositories.ts'
export * from './activity/search-engine/searchable-projects.ts'
export { mergeSegments } from './activity/search-engine/segment-merges.ts'
export * from './activity/search-engine/source-store.ts'
export * from './activity/webhooks/hook-sample-store.ts'
export * from './activity/webhooks/hook-source-store.ts'
export * from './activity/webhooks/listening-webhook-store.ts'
export * from './activity/webhooks/system-hook-store.ts'
export * from './activity/webhooks/webhook-delivery-store.ts'
export * from './activity/webhooks/webhook-lane-store.ts'
export * from './activity/webhooks/webhook-store.ts'
export * from './app/instance-statistics/instance-statistics-store.ts'
export * from './app/license/license-store.ts'
export * from './app/storage-use/storage-use-store.ts'
export * from './ci/commit-statuses/commit-status-store.ts'
export * from './ci/deployments/deployment-store.ts'
export * from './ci/environments/environment-store.ts'
export * from './ci/jobs/ci-job-store.ts'
export * from './ci/pipelines/pipeline-store.ts'
export * from './ci/vulnerabilities/security-report-store.ts'
export * from './ci/vulnerabilities/vulnerability-dismissal-store.ts'
export * from './ci/vulnerabilities/vulnerability-issue-list.ts'
export * from './ci/vulnerabilities/vulnerability-list.ts'
export * from './code/badges/badge-store.ts'
export * from './code/deploy-keys/deploy-key-links.ts'
export * from './code/deploy-keys/deploy-key-store.ts'
export * from './code/deploy-tokens/deploy-token-store.ts'
export * from './code/housekeeping/housekeeping-store.ts'
export * from './code/protected-refs/project-members.ts'
export * from './code/protected-refs/protected-ref-list.ts'
export * from './code/protected-refs/protected-ref-store.ts'
export * from './code/pushes/push-journal-store.ts'
export * from './code/pushes/pushed-project-store.ts'
export * from './code/releases/release-link-store.ts'
export * from './code/releases/release-store.ts'
export * from './code/repositories/repository-list.ts'
export * from './code/repositories/repository-store.ts'
export * from './code/statistics/fetch-store.ts'
export * from './code/statistics/statistics-store.ts'
export * from './directory/access-requests/access-request-store.ts'
export * from './directory/appearance/appearance-store.ts'
export * from './directory/authentication/pending-sign-in-store.ts'
export * from './directory/authentication/session-store.ts'
export * from './directory/authentication/two-factor-grace-store.ts'
export * from './directory/broadcast-messages/broadcast-message-store.ts'
export * from './directory/custom-attributes/custom-attribute-store.ts'
export * from './directory/features/feature-store.ts'
export * from './directory/groups/group-finders.ts'
export * from './directory/groups/group-list.ts'
export * from './directory/groups/group-row.ts'
export * from './directory/groups/group-tree.ts'
export * from './directory/imports/import-store.ts'
export * from './directory/keys/gpg-key-store.ts'
export * from './directory/keys/ssh-key-store.ts'
export {
  directProjectLevels,
  groupLevels,
  levelInGroup,
  levelInProject,
  type MemberLevel,
  projectLevels,
} from './directory/members/levels.ts'
export * from './directory/members/member-list.ts'
export * from './directory/members/member-store.ts'
export type { ViewerArgs } from './directory/members/memberships.ts'
export {
  type MemberAccess,
  memberGroups,
  memberProjects,
  type ViewerKind,
  viewerArgs,
  viewerKind,
  visibleGroups,
  visibleProjects,
} from './directory/members/visibility.ts'
export * from './directory/memberships/membership-list.ts'
export * from './directory/namespaces/namespace-list.ts'
export * from './directory/namespaces/namespace-store.ts'
export * from './directory/namespaces/user-namespace.ts'
export * from './directory/oauth/access-token-store.ts'
export * from './directory/oauth/application-store.ts'
export * from './directory/oauth/grant-cleanup.ts'
export * from './directory/oauth/grant-store.ts'
export * from './directory/oauth/refresh-token-store.ts'
export * from './directory/pages-domains/pages-domain-store.ts'
export * from './directory/projects/fork-network.ts'
export * from './directory/projects/project-access.ts'
export * from './directory/projects/project-conditions.ts'
export * from './directory/projects/project-details.ts'
export * from './directory/projects/project-finders.ts'
export * from './directory/projects/project-forks.ts'
export * from './directory/projects/project-list.ts'
export * from './directory/projects/project-lock.ts'
export * from './directory/projects/project-removal.ts'
export * from './directory/projects/project-row.ts'
export * from './directory/projects/project-within.ts'
export * from './directory/projects/project-writes.ts'
export * from './directory/projects/star-store.ts'
export * from './directory/projects/starrer-list.ts'
export * from './directory/redirects/redirect-store.ts'
export * from './directory/scim/scim-token-store.ts'
export * from './directory/scim/scim-user-store.ts'
export * from './directory/settings/setting-store.ts'
export * from './directory/shares/group-share-store.ts'
export * from './directory/shares/share-store.ts'
export * from './directory/tokens/token-store.ts'
export * from './directory/two-factor/two-factor-store.ts'
export * from './directory/user-activities/user-activity-list.ts'
export * from './directory/user-preferences/user-preferences-store.ts'
export * from './directory/user-status/user-status-store.ts'
export * from './directory/users/email-store.ts'
export * from './directory/users/password-reset-store.ts'
export * from './directory/users/user-by-email.ts'
export * from './directory/users/user-details-store.ts'
export * from './directory/users/user-list.ts'
export * from './directory/users/user-references.ts'
export * from './directory/users/user-removal.ts'
export * from './directory/users/user-row.ts'
export * from './directory/users/user-store.ts'
export * from './planning/awards/award-store.ts'
export * from './planning/boards/board-list-store.ts'
export * from './planning/boards/board-store.ts'
export * from './planning/epic-issues/epic-issue-list.ts'
export * from './planning/epic-issues/epic-issue-store.ts'
export * from './planning/epic-links/epic-link-store.ts'
export * from './planning/epics/epic-dates.ts'
export * from './planning/epics/epic-list.ts'
export * from './planning/epics/epic-removal.ts'
export * from './planning/epics/epic-roll-up.ts'
export * from './planning/epics/epic-row.ts'
export * from './planning/epics/epic-store.ts'
export * from './planning/epics/epic-tree-store.ts'
export * from './planning/epics/epic-writes.ts'
export * from './planning/issue-links/issue-link-store.ts'
export * from './planning/issues/due-issues.ts'
export * from './planning/issues/issue-copies.ts'
export * from './planning/issues/issue-finders.ts'
export * from './planning/issues/issue-list.ts'
export * from './planning/issues/issue-removal.ts'
export * from './planning/issues/issue-row.ts'
export * from './planning/issues/issue-store.ts'
export * from './planning/issues/open-issues.ts'
export * from './planning/items/item-counts.ts'
export * from './planning/items/item-removal.ts'
export { readDescription } from './planning/items/lists/listed-description.ts'
export type {
  EpicListRequest,
  EpicListScope,
  ListRequest,
  WorkItemFilter,
  WorkItemListScope,
  WorkItemRequest,
} from './planning/items/lists/work-item-filter.ts'
export type { WorkItemSearch } from './planning/items/lists/work-item-search.ts'
export * from './planning/items/merge-request-finders.ts'
export type { MergeRequestRow } from './planning/items/merge-request-row.ts'
export * from './planning/items/reader-store.ts'
export * from './planning/label-events/label-event-store.ts'
export * from './planning/labels/label-finders.ts'
export * from './planning/labels/label-links.ts'
export * from './planning/labels/label-list.ts'
export * from './planning/labels/label-merge.ts'
export * from './planning/labels/label-promotion.ts'
export * from './planning/labels/label-references.ts'
export * from './planning/labels/label-removal.ts'
export type { LabelRef, LabelRow } from './planning/labels/label-row.ts'
export * from './planning/labels/label-totals.ts'
export * from './planning/labels/label-transfer.ts'
export * from './planning/labels/label-writes.ts'
export * from './planning/mentions/cross-reference-store.ts'
export * from './planning/mentions/mention-store.ts'
export * from './planning/mentions/mentioned-parents-store.ts'
export * from './planning/mentions/mentioned-users-store.ts'
export * from './planning/milestones/burndown-store.ts'
export * from './planning/milestones/milestone-finders.ts'
export {
  listMilestoneIssues,
  type MilestoneContents,
} from './planning/milestones/milestone-issues.ts'
export * from './planning/milestones/milestone-list.ts'
export * from './planning/milestones/milestone-references.ts'
export * from './planning/milestones/milestone-removal.ts'
export type { MilestoneRow } from './planning/milestones/milestone-row.ts'
export * from './planning/milestones/milestone-transfer.ts'
export * from './planning/milestones/milestone-writes.ts'
export * from './planning/notes/comment-authors.ts'
export * from './planning/notes/hidden-system-notes.ts'
export * from './planning/notes/note-list.ts'
export * from './planning/notes/note-positions.ts'
export * from './planning/notes/note-removal.ts'
export * from './planning/notes/note-row.ts'
export * from './planning/notes/note-store.ts'
export * from './planning/notes/note-threads.ts'
export * from './planning/notes/system-note-names.ts'
export * from './planning/notes/system-note-store.ts'
export * from './planning/participants/participant-store.ts'
export {
  type ListedSnippetRow,
  listPublicSnippets,
  listSnippetsOfAuthor,
  listSnippetsOfProject,
  type SnippetAccess,
  type SnippetViewer,
} from './planning/snippets/snippet-list.ts'
export * from './planning/snippets/snippet-removal.ts'
export * from './planning/snippets/snippet-row.ts'
export * from './planning/snippets/snippet-store.ts'
export * from './planning/subscriptions/subscription-store.ts'
export * from './planning/suggestions/suggestion-store.ts'
export * from './planning/time-tracking/time-log-removal.ts'
export * from './planning/time-tracking/time-log-store.ts'
export * from './planning/todos/todo-list.ts'
export * from './planning/todos/todo-store.ts'
export * from './planning/vulnerability-issues/vulnerability-issue-store.ts'
export { type DatabaseOptions, openDatabase } from './platform/database.ts'
export { readDatabaseSize } from './platform/database-size.ts'
export type { ThreadScripts } from './platform/dialect/database-thread.ts'
export { fullTextTables, mergeFullTextTable } from './platform/dialect/full-text-tables.ts'
export { decodeText, foldedText, isText } from './platform/dialect/segments/file-text.ts'
export {
  isUniqueViolation,
  StoreError,
  type StoreErrorCode,
  UniqueViolationError,
} from './platform/errors.ts'
export {
  acquireLock,
  acquireSharedLock,
  type FileLock,
} from './platform/file-lock.ts'
export { addToCounter, readCounters } from './platform/jobs/counter-store.ts'
export * from './platform/jobs/job-claims.ts'
export * from './platform/jobs/job-sample-store.ts'
export * from './platform/jobs/job-statistics.ts'
export * from './platform/jobs/job-store.ts'
export { currentRequestId, withRequestId } from './platform/jobs/request-context.ts'
export * from './platform/jobs/unfinished-jobs.ts'
export * from './platform/jobs/worker-store.ts'
export * from './platform/mail/mail-store.ts'
export { listPendingMigrations } from './platform/migrations/pending.ts'
export { type ListedDescription, maxListedText } from './platform/queries/listed-text.ts'
export {
  type CountRequest,
  countRows,
  type ListQuery,
  type Page,
  type PageRequest,
  selectPage,
  uncountedPage,
} from './platform/queries/page.ts'
export {
  type Build,
  type Buildable,
  type Database,
  type DialectName,
  type Durability,
  inBackground,
  type Param,
  type Queries,
  type SearchIndex,
  type StoreLogger,
  type Transaction,
} from './platform/queries/queries.ts'
export {
  type ColumnLike,
  type ColumnName,
  containing,
  escapeLike,
  fromJsonText,
  greatest,
  inList,
  jsonText,
  least,
  matches,
  pick,
  startingWith,
  unindexed,
} from './platform/queries/sql.ts'
export {
  type ProjectStampName,
  readStamps,
  type Stamp,
  type StampName,
  stampOf,
  touchStamp,
  type Versions,
} from './platform/queries/stamps.ts'
export type { EventAction, EventTargetType } from './platform/schema/events.ts'
export { type Flag, toFlag, toFlagOrNull } from './platform/schema/flag.ts'
export type { NewRow, Row, RowChanges, Schema } from './platform/schema/schema.ts'
export * from './review/approvals/approval-rule-store.ts'
export * from './review/approvals/approval-store.ts'
export * from './review/approvals/approver-store.ts'
export * from './review/merge-requests/closing-store.ts'
export * from './review/merge-requests/merge-request-branches.ts'
export * from './review/merge-requests/merge-request-list.ts'
export * from './review/merge-requests/merge-request-pipelines.ts'
export * from './review/merge-requests/merge-request-removal.ts'
export * from './review/merge-requests/merge-request-status.ts'
export * from './review/merge-requests/merge-request-store.ts'
export {
  addVersion,
  countVersions,
  findVersion,
  findVersionBetween,
  listVersionCommitPage,
  listVersionCommits,
  listVersions,
  type NewVersion,
  type VersionChange,
} from './review/merge-requests/merge-request-version-store.ts'
export * from './review/merge-requests/merge-request-writes.ts'
export * from './review/merge-requests/merged-commits.ts'
export * from './review/merging/merge-state-store.ts'
export { listMilestoneMergeRequests } from './review/milestones/milestone-merge-requests.ts'
export * from './review/viewed-files/viewed-file-store.ts'
