export {
  type AttributeOwner,
  type CustomAttributeRow,
  deleteCustomAttribute,
  deleteCustomAttributesOf,
  findCustomAttribute,
  listCustomAttributes,
  setCustomAttribute,
} from './custom-attributes/custom-attribute-store.ts'
export { type DatabaseOptions, openDatabase } from './database.ts'
export {
  isUniqueViolation,
  StoreError,
  type StoreErrorCode,
  UniqueViolationError,
} from './errors.ts'
export {
  type EventFilter,
  listEventsOfAuthor,
  listEventsOfProject,
} from './events/event-list.ts'
export {
  listRecordedMoves,
  type NewEvent,
  type RecordedMove,
  recordEvent,
  recordEvents,
  removeOldEvents,
} from './events/event-store.ts'
export { acquireLock, type ExclusiveLock } from './exclusive-lock.ts'
export {
  findGroup,
  findGroupFor,
  type GroupKey,
  holdsProjectOf,
} from './groups/group-finders.ts'
export { type GroupListRequest, listGroups } from './groups/group-list.ts'
export type { GroupRow } from './groups/group-row.ts'
export {
  deleteGroupRows,
  findVisibilitiesInside,
  type GroupStatisticsRow,
  listDoomedGroups,
  listDoomedProjectIds,
  listGroupStatistics,
  listGroupTree,
  listProjectIdsIn,
  markGroupsDeleted,
  renameBelow,
} from './groups/group-tree.ts'
export {
  deleteFinishedJobs,
  type JobFigures,
  jobFigures,
  listDeadJobs,
  type QueueFigures,
  retryDeadJob,
} from './jobs/job-figures.ts'
export {
  type ClaimedJob,
  type ClaimRequest,
  claimJobs,
  completeJob,
  enqueueJob,
  enqueueUnlessWaiting,
  extendLease,
  failJob,
  hastenJobs,
  type NewJob,
  releaseJobs,
  requeueExpiredJobs,
  retryDelay,
} from './jobs/job-store.ts'
export {
  directProjectLevels,
  groupLevels,
  levelInGroup,
  levelInProject,
  type MemberLevel,
  projectLevels,
} from './levels.ts'
export {
  findMember,
  listMembers,
  type MemberFilter,
  type MemberRow,
  type MembersOf,
} from './members/member-list.ts'
export {
  deleteGroupMember,
  deleteLapsedMember,
  deleteMembers,
  deleteProjectMember,
  findInheritedMembership,
  findMembership,
  insertMember,
  listGroupOwners,
  listLapsedMembers,
  type MemberSource,
  type MembershipKey,
  type MembershipRow,
  type NewMember,
  setMember,
  updateMember,
} from './members/member-store.ts'
export type { ViewerArgs } from './memberships.ts'
export {
  countMembersBelow,
  findListedNamespace,
  type ListedNamespace,
  listNamespaces,
} from './namespaces/namespace-list.ts'
export {
  findNamespace,
  findNamespaceLocks,
  findUserNamespace,
  insertGroup,
  isNamespaceWithin,
  isPathTaken,
  lockNamespace,
  type NamespaceChanges,
  type NamespaceKey,
  type NamespaceLocks,
  type NamespaceRow,
  type NewGroup,
  namespaceDepth,
  updateNamespace,
} from './namespaces/namespace-store.ts'
export { insertUserNamespace, renameUserNamespace } from './namespaces/user-namespace.ts'
export {
  type CountRequest,
  countRows,
  type ListQuery,
  type Page,
  type PageRequest,
  selectPage,
} from './page.ts'
export {
  effectiveLevel,
  groupMembership,
  listProjectLevels,
  noLevels,
  type ProjectLevels,
} from './projects/project-access.ts'
export type { ProjectFilter, ProjectPlace } from './projects/project-conditions.ts'
export {
  listProjectDetails,
  type ProjectDetails,
  type ProjectShareRow,
  type ProjectStatisticsRow,
  type StorageSizesRow,
} from './projects/project-details.ts'
export {
  findProject,
  findProjectFor,
  findProjectVisibility,
  findTakenProjectNames,
  type ProjectKey,
} from './projects/project-finders.ts'
export {
  listProjects,
  listProjectsSimply,
  type ProjectListRequest,
} from './projects/project-list.ts'
export {
  type DoomedProject,
  deleteProjectRows,
  findDoomedProject,
  markProjectsDeleted,
} from './projects/project-removal.ts'
export type { ProjectRow, SimpleProjectRow } from './projects/project-row.ts'
export {
  findPersonalQuota,
  insertProjectDraft,
  type PersonalQuota,
  type ProjectChanges,
  publishProject,
  updateProject,
} from './projects/project-writes.ts'
export { deleteShare, insertShare, isShared, type NewShare } from './projects/share-store.ts'
export { deleteStar, insertStar } from './projects/star-store.ts'
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
export {
  closePushJournal,
  listPushJournals,
  openPushJournal,
  type PushJournal,
  type PushJournalRow,
  pushReconcileKind,
  schedulePushJournals,
} from './repositories/push-journal-store.ts'
export {
  findRepository,
  type PushedProject,
  type RepositoryRow,
  savePushedProject,
} from './repositories/repository-store.ts'
export {
  type RepositoryFigures,
  saveLanguages,
  saveRepositoryFigures,
} from './repositories/statistics-store.ts'
export type { EventAction, EventTargetType } from './schema/events.ts'
export { type Flag, toFlag } from './schema/flag.ts'
export type { NewRow, Row, RowChanges, Schema } from './schema/schema.ts'
export {
  deleteEndedSessions,
  deleteSession,
  deleteSessionsOf,
  findSessionOwner,
  insertSession,
  type NewSession,
  type SessionOwnerRow,
} from './sessions/session-store.ts'
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
export { readStamps, type StampName, touchStamp } from './stamps.ts'
export {
  deleteTokenByHash,
  findToken,
  findTokenOwner,
  insertToken,
  listTokens,
  type NewToken,
  revokeToken,
  type TokenKind,
  type TokenOwnerRow,
  type TokenRow,
  type TokenState,
} from './tokens/token-store.ts'
export {
  findHighestRole,
  findIdentities,
  findIdentityOwner,
  findUserNumbers,
  type IdentityRow,
  setIdentity,
} from './users/user-details-store.ts'
export { type ListedUserRow, listFullUsers, listUsers, type UserFilter } from './users/user-list.ts'
export {
  deleteUserRow,
  findHeldProjectIds,
  findLeavingUser,
  findPersonalProjectIds,
  findSoleGroups,
  moveCreatedProjects,
  moveEvents,
  removeAccess,
  removeEvents,
} from './users/user-removal.ts'
export type { CallerRow, UserRefRow, UserRow } from './users/user-row.ts'
export {
  findCaller,
  findCredentials,
  findGhost,
  findTakenNames,
  findUser,
  findUserByUsername,
  findUserRefs,
  hasUsers,
  insertUser,
  lockAdministrators,
  type NewUser,
  touchActivity,
  type UserChanges,
  updateUser,
} from './users/user-store.ts'
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
