export * from './awards/award-store.ts'
export * from './boards/board-column-store.ts'
export * from './boards/board-store.ts'
export * from './custom-attributes/custom-attribute-store.ts'
export { type DatabaseOptions, openDatabase } from './database.ts'
export * from './deploy-keys/deploy-key-links.ts'
export * from './deploy-keys/deploy-key-store.ts'
export * from './deploy-tokens/deploy-token-store.ts'
export * from './epics/epic-removal.ts'
export * from './epics/epic-store.ts'
export {
  isUniqueViolation,
  StoreError,
  type StoreErrorCode,
  UniqueViolationError,
} from './errors.ts'
export * from './events/event-list.ts'
export * from './events/event-store.ts'
export * from './events/event-target-store.ts'
export * from './events/project-activity.ts'
export type { EventReach } from './events/project-event-reach.ts'
export { acquireLock, type ExclusiveLock } from './exclusive-lock.ts'
export * from './groups/group-finders.ts'
export * from './groups/group-list.ts'
export * from './groups/group-row.ts'
export * from './groups/group-tree.ts'
export * from './issue-links/issue-link-store.ts'
export * from './issues/issue-copies.ts'
export * from './issues/issue-finders.ts'
export * from './issues/issue-list.ts'
export * from './issues/issue-removal.ts'
export * from './issues/issue-row.ts'
export * from './issues/issue-store.ts'
export * from './issues/open-issues.ts'
export * from './items/item-removal.ts'
export * from './items/kept-counts.ts'
export * from './items/participant-store.ts'
export * from './items/reader-store.ts'
export * from './jobs/job-claims.ts'
export * from './jobs/job-figures.ts'
export * from './jobs/job-store.ts'
export * from './labels/label-event-store.ts'
export * from './labels/label-finders.ts'
export * from './labels/label-links.ts'
export * from './labels/label-list.ts'
export * from './labels/label-promotion.ts'
export * from './labels/label-references.ts'
export * from './labels/label-removal.ts'
export type { LabelRef, LabelRow } from './labels/label-row.ts'
export * from './labels/label-totals.ts'
export * from './labels/label-transfer.ts'
export * from './labels/label-writes.ts'
export {
  directProjectLevels,
  groupLevels,
  levelInGroup,
  levelInProject,
  type MemberLevel,
  projectLevels,
} from './levels.ts'
export * from './members/member-list.ts'
export * from './members/member-store.ts'
export type { ViewerArgs } from './memberships.ts'
export * from './mentions/cross-reference-store.ts'
export * from './mentions/mention-store.ts'
export * from './mentions/named-people-store.ts'
export * from './mentions/named-place-store.ts'
export * from './merge-requests/closing-store.ts'
export * from './merge-requests/merge-request-branches.ts'
export * from './merge-requests/merge-request-finders.ts'
export * from './merge-requests/merge-request-list.ts'
export * from './merge-requests/merge-request-removal.ts'
export type { MergeRequestRow } from './merge-requests/merge-request-row.ts'
export * from './merge-requests/merge-request-status.ts'
export * from './merge-requests/merge-request-store.ts'
export {
  addVersion,
  findVersion,
  findVersionBetween,
  listVersionCommits,
  type NewVersion,
  type VersionChange,
} from './merge-requests/merge-request-version-store.ts'
export * from './merge-requests/merge-request-writes.ts'
export * from './merge-requests/merged-commits.ts'
export * from './milestones/burndown-store.ts'
export {
  listMilestoneIssues,
  listMilestoneMergeRequests,
  type MilestoneContents,
} from './milestones/milestone-contents.ts'
export * from './milestones/milestone-finders.ts'
export * from './milestones/milestone-list.ts'
export * from './milestones/milestone-references.ts'
export * from './milestones/milestone-removal.ts'
export type { MilestoneRow } from './milestones/milestone-row.ts'
export { carryMilestones } from './milestones/milestone-transfer.ts'
export * from './milestones/milestone-writes.ts'
export * from './namespaces/namespace-list.ts'
export * from './namespaces/namespace-store.ts'
export * from './namespaces/user-namespace.ts'
export * from './notes/comment-authors.ts'
export * from './notes/hidden-remarks.ts'
export * from './notes/note-list.ts'
export * from './notes/note-removal.ts'
export * from './notes/note-row.ts'
export * from './notes/note-store.ts'
export * from './notes/note-threads.ts'
export * from './notes/remark-finder.ts'
export * from './notes/remark-source-store.ts'
export * from './notification-settings/notification-setting-store.ts'
export {
  type CountRequest,
  countRows,
  type ListQuery,
  type Page,
  type PageRequest,
  selectPage,
} from './page.ts'
export * from './pipelines/commit-status-store.ts'
export * from './pipelines/pipeline-store.ts'
export * from './projects/project-access.ts'
export * from './projects/project-conditions.ts'
export * from './projects/project-details.ts'
export * from './projects/project-finders.ts'
export * from './projects/project-list.ts'
export * from './projects/project-removal.ts'
export * from './projects/project-row.ts'
export * from './projects/project-writes.ts'
export * from './projects/share-store.ts'
export * from './projects/star-store.ts'
export * from './protected-refs/default-protection.ts'
export * from './protected-refs/project-insiders.ts'
export * from './protected-refs/protected-ref-list.ts'
export * from './protected-refs/protected-ref-store.ts'
export type {
  Build,
  Buildable,
  Database,
  DialectName,
  Param,
  Queries,
  StoreLogger,
  Transaction,
} from './queries.ts'
export * from './releases/release-link-store.ts'
export * from './releases/release-store.ts'
export * from './repositories/push-journal-store.ts'
export * from './repositories/repository-list.ts'
export * from './repositories/repository-store.ts'
export * from './repositories/statistics-store.ts'
export * from './repositories/upkeep-store.ts'
export type { EventAction, EventTargetType } from './schema/events.ts'
export { type Flag, toFlag } from './schema/flag.ts'
export type { NewRow, Row, RowChanges, Schema } from './schema/schema.ts'
export * from './sessions/session-store.ts'
export * from './settings/setting-store.ts'
export * from './snippets/snippet-list.ts'
export * from './snippets/snippet-removal.ts'
export * from './snippets/snippet-row.ts'
export * from './snippets/snippet-store.ts'
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
} from './sql.ts'
export * from './ssh-keys/ssh-key-store.ts'
export { readStamps, type StampName, touchStamp } from './stamps.ts'
export * from './subscriptions/subscription-store.ts'
export * from './time-logs/time-log-removal.ts'
export * from './time-logs/time-log-store.ts'
export * from './todos/todo-list.ts'
export * from './todos/todo-store.ts'
export * from './tokens/token-store.ts'
export * from './users/leaving-traces.ts'
export * from './users/user-by-email.ts'
export * from './users/user-details-store.ts'
export * from './users/user-list.ts'
export * from './users/user-removal.ts'
export * from './users/user-row.ts'
export * from './users/user-store.ts'
export {
  type MemberAccess,
  memberGroups,
  memberProjects,
  type ViewerKind,
  viewerArgs,
  viewerKind,
  visibleGroups,
  visibleProjects,
} from './visibility.ts'
export * from './webhooks/hook-source-store.ts'
export * from './webhooks/webhook-delivery-store.ts'
export * from './webhooks/webhook-store.ts'
export type {
  WorkItemFilter,
  WorkItemPlace,
  WorkItemRequest,
} from './work-items/work-item-filter.ts'
