export * from './custom-attributes/custom-attribute-store.ts'
export { type DatabaseOptions, openDatabase } from './database.ts'
export * from './deploy-keys/deploy-key-links.ts'
export * from './deploy-keys/deploy-key-store.ts'
export * from './deploy-tokens/deploy-token-store.ts'
export * from './epics/epic-store.ts'
export {
  isUniqueViolation,
  StoreError,
  type StoreErrorCode,
  UniqueViolationError,
} from './errors.ts'
export * from './events/event-list.ts'
export * from './events/event-store.ts'
export * from './events/project-activity.ts'
export { acquireLock, type ExclusiveLock } from './exclusive-lock.ts'
export * from './groups/group-finders.ts'
export * from './groups/group-list.ts'
export * from './groups/group-row.ts'
export * from './groups/group-tree.ts'
export * from './issues/issue-finders.ts'
export * from './issues/issue-row.ts'
export * from './jobs/job-figures.ts'
export * from './jobs/job-store.ts'
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
export * from './merge-requests/merge-request-branches.ts'
export * from './merge-requests/merge-request-list.ts'
export * from './merge-requests/merge-request-removal.ts'
export type { MergeRequestRow } from './merge-requests/merge-request-row.ts'
export * from './merge-requests/merge-request-status.ts'
export * from './merge-requests/merge-request-store.ts'
export {
  addVersion,
  findVersion,
  listVersionCommits,
  type NewVersion,
  type VersionChange,
} from './merge-requests/merge-request-version-store.ts'
export * from './namespaces/namespace-list.ts'
export * from './namespaces/namespace-store.ts'
export * from './namespaces/user-namespace.ts'
export * from './notes/comment-authors.ts'
export * from './notes/note-list.ts'
export * from './notes/note-row.ts'
export * from './notes/note-store.ts'
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
export * from './snippets/snippet-row.ts'
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
export * from './tokens/token-store.ts'
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
export * from './webhooks/webhook-delivery-store.ts'
export * from './webhooks/webhook-store.ts'
