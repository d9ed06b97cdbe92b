/**
 * Every contract, by the name that its handlers are listed under. Re-exports keep the declarations of
 * the package small: a literal would repeat the types of all contracts.
 */
export {
  auditEventsContract as auditEvents,
  groupAuditEventsContract as groupAuditEvents,
  projectAuditEventsContract as projectAuditEvents,
} from '../activity/audit-events/audit-event.contract.ts'
export { eventStreamsContract as eventStreams } from '../activity/event-streams/event-stream.contract.ts'
export { eventsContract as events } from '../activity/events/event.contract.ts'
export { notificationSettingsContract as notificationSettings } from '../activity/notification-settings/notification-setting.contract.ts'
export { searchContract as search } from '../activity/search/search.contract.ts'
export { searchIndexContract as searchIndex } from '../activity/search-index/search-index.contract.ts'
export { systemHooksContract as systemHooks } from '../activity/webhooks/system-hook.contract.ts'
export {
  groupHooksContract as groupHooks,
  projectHooksContract as projectHooks,
} from '../activity/webhooks/webhook.contract.ts'
export { commitStatusesContract as commitStatuses } from '../ci/commit-statuses/commit-status.contract.ts'
export { deploymentsContract as deployments } from '../ci/deployments/deployment.contract.ts'
export { environmentsContract as environments } from '../ci/environments/environment.contract.ts'
export { lintContract as lint } from '../ci/lint/lint.contract.ts'
export { vulnerabilitiesContract as vulnerabilities } from '../ci/vulnerabilities/vulnerability.contract.ts'
export {
  groupBadgesContract as groupBadges,
  projectBadgesContract as projectBadges,
} from '../code/badges/badge.contract.ts'
export { branchesContract as branches } from '../code/branches/branch.contract.ts'
export { commitsContract as commits } from '../code/commits/commit.contract.ts'
export { deployKeysContract as deployKeys } from '../code/deploy-keys/deploy-key.contract.ts'
export { deployTokensContract as deployTokens } from '../code/deploy-tokens/deploy-token.contract.ts'
export { repositoryFilesContract as repositoryFiles } from '../code/files/repository-file.contract.ts'
export { housekeepingContract as housekeeping } from '../code/housekeeping/housekeeping.contract.ts'
export { instanceKeysContract as instanceKeys } from '../code/instance-keys/instance-key.contract.ts'
export { protectedBranchesContract as protectedBranches } from '../code/protected-refs/protected-branch.contract.ts'
export { protectedTagsContract as protectedTags } from '../code/protected-refs/protected-tag.contract.ts'
export { releasesContract as releases } from '../code/releases/release.contract.ts'
export { releaseLinksContract as releaseLinks } from '../code/releases/release-link.contract.ts'
export { repositoryContract as repository } from '../code/repositories/repository.contract.ts'
export { snapshotsContract as snapshots } from '../code/repositories/snapshot.contract.ts'
export { fetchStatisticsContract as fetchStatistics } from '../code/statistics/fetch-statistics.contract.ts'
export { submodulesContract as submodules } from '../code/submodules/submodule.contract.ts'
export { tagsContract as tags } from '../code/tags/tag.contract.ts'
export {
  wikiAttachmentsContract as wikiAttachments,
  wikisContract as wikis,
} from '../code/wikis/wiki.contract.ts'
export {
  groupAccessRequestsContract as groupAccessRequests,
  projectAccessRequestsContract as projectAccessRequests,
} from '../directory/access-requests/access-request.contract.ts'
export { appearanceContract as appearance } from '../directory/appearance/appearance.contract.ts'
export { avatarsContract as avatars } from '../directory/avatars/avatar.contract.ts'
export { broadcastMessagesContract as broadcastMessages } from '../directory/broadcast-messages/broadcast-message.contract.ts'
export {
  groupCustomAttributesContract as groupCustomAttributes,
  projectCustomAttributesContract as projectCustomAttributes,
  userCustomAttributesContract as userCustomAttributes,
} from '../directory/custom-attributes/custom-attribute.contract.ts'
export { featuresContract as features } from '../directory/features/feature.contract.ts'
export { forksContract as forks } from '../directory/forks/fork.contract.ts'
export { groupsContract as groups } from '../directory/groups/group.contract.ts'
export { userGpgKeysContract as userGpgKeys } from '../directory/keys/gpg-key.contract.ts'
export { userKeysContract as userKeys } from '../directory/keys/ssh-key.contract.ts'
export {
  groupMembersContract as groupMembers,
  projectMembersContract as projectMembers,
} from '../directory/members/member.contract.ts'
export { membershipsContract as memberships } from '../directory/memberships/membership.contract.ts'
export { namespacesContract as namespaces } from '../directory/namespaces/namespace.contract.ts'
export { applicationsContract as applications } from '../directory/oauth/application.contract.ts'
export { pagesDomainsContract as pagesDomains } from '../directory/pages-domains/pages-domain.contract.ts'
export { projectUploadsContract as projectUploads } from '../directory/project-uploads/project-upload.contract.ts'
export { projectsContract as projects } from '../directory/projects/project.contract.ts'
export { starrersContract as starrers } from '../directory/projects/starrer.contract.ts'
export { scimTokensContract as scimTokens } from '../directory/scim/scim-token.contract.ts'
export { settingsContract as settings } from '../directory/settings/settings.contract.ts'
export {
  ciTemplatesContract as ciTemplates,
  dockerfileTemplatesContract as dockerfileTemplates,
  gitignoreTemplatesContract as gitignoreTemplates,
  licenseTemplatesContract as licenseTemplates,
  projectTemplatesContract as projectTemplates,
} from '../directory/templates/template.contract.ts'
export { impersonationTokensContract as impersonationTokens } from '../directory/tokens/impersonation-token.contract.ts'
export { twoFactorContract as twoFactor } from '../directory/two-factor/two-factor.contract.ts'
export { userActivitiesContract as userActivities } from '../directory/user-activities/user-activity.contract.ts'
export { userPreferencesContract as userPreferences } from '../directory/user-preferences/user-preferences.contract.ts'
export { userStatusContract as userStatus } from '../directory/user-status/user-status.contract.ts'
export { userEmailsContract as userEmails } from '../directory/users/email.contract.ts'
export { userProfileContract as userProfile } from '../directory/users/profile.contract.ts'
export { usersContract as users } from '../directory/users/user.contract.ts'
export {
  epicAwardsContract as epicAwards,
  epicNoteAwardsContract as epicNoteAwards,
  issueAwardsContract as issueAwards,
  issueNoteAwardsContract as issueNoteAwards,
  mergeRequestAwardsContract as mergeRequestAwards,
  mergeRequestNoteAwardsContract as mergeRequestNoteAwards,
  snippetAwardsContract as snippetAwards,
  snippetNoteAwardsContract as snippetNoteAwards,
} from '../planning/awards/award.contract.ts'
export {
  boardsContract as boards,
  groupBoardsContract as groupBoards,
} from '../planning/boards/board.contract.ts'
export { commitCommentsContract as commitComments } from '../planning/commit-comments/commit-comment.contract.ts'
export {
  commitDiscussionsContract as commitDiscussions,
  epicDiscussionsContract as epicDiscussions,
  issueDiscussionsContract as issueDiscussions,
  mergeRequestDiscussionsContract as mergeRequestDiscussions,
  snippetDiscussionsContract as snippetDiscussions,
} from '../planning/discussions/discussion.contract.ts'
export { epicIssuesContract as epicIssues } from '../planning/epic-issues/epic-issue.contract.ts'
export { epicLinksContract as epicLinks } from '../planning/epic-links/epic-link.contract.ts'
export { epicsContract as epics } from '../planning/epics/epic.contract.ts'
export { issueLinksContract as issueLinks } from '../planning/issue-links/issue-link.contract.ts'
export { issuesContract as issues } from '../planning/issues/issue.contract.ts'
export { issueListsContract as issueLists } from '../planning/issues/issue-list.contract.ts'
export { issueRelationsContract as issueRelations } from '../planning/issues/issue-relations.contract.ts'
export {
  epicLabelEventsContract as epicLabelEvents,
  issueLabelEventsContract as issueLabelEvents,
  mergeRequestLabelEventsContract as mergeRequestLabelEvents,
} from '../planning/label-events/label-event.contract.ts'
export {
  groupLabelsContract as groupLabels,
  labelsContract as labels,
} from '../planning/labels/label.contract.ts'
export { markdownContract as markdown } from '../planning/markdown/markdown.contract.ts'
export {
  groupMilestonesContract as groupMilestones,
  milestonesContract as milestones,
} from '../planning/milestones/milestone.contract.ts'
export {
  epicNotesContract as epicNotes,
  issueNotesContract as issueNotes,
  mergeRequestNotesContract as mergeRequestNotes,
  snippetNotesContract as snippetNotes,
} from '../planning/notes/note.contract.ts'
export { participantsContract as participants } from '../planning/participants/participant.contract.ts'
export { projectSnippetsContract as projectSnippets } from '../planning/snippets/project-snippet.contract.ts'
export { snippetsContract as snippets } from '../planning/snippets/snippet.contract.ts'
export { issueTimeContract as issueTime } from '../planning/time-tracking/issue-time.contract.ts'
export { mergeRequestTimeContract as mergeRequestTime } from '../planning/time-tracking/merge-request-time.contract.ts'
export { todosContract as todos } from '../planning/todos/todo.contract.ts'
export { vulnerabilityIssuesContract as vulnerabilityIssues } from '../planning/vulnerability-issues/vulnerability-issue.contract.ts'
export { jobQueueContract as jobQueue } from '../platform/jobs/job-queue.contract.ts'
export { approvalRulesContract as approvalRules } from '../review/approvals/approval-rules.contract.ts'
export { approvalsContract as approvals } from '../review/approvals/approvals.contract.ts'
export { mergeRequestsContract as mergeRequests } from '../review/merge-requests/merge-request.contract.ts'
export { mergeRequestListsContract as mergeRequestLists } from '../review/merge-requests/merge-request-list.contract.ts'
export { mergeRequestVersionsContract as mergeRequestVersions } from '../review/merge-requests/merge-request-version.contract.ts'
export { mergingContract as merging } from '../review/merging/merging.contract.ts'
export { suggestionsContract as suggestions } from '../review/suggestions/suggestion.contract.ts'
export { userCountsContract as userCounts } from '../review/user-counts/user-counts.contract.ts'
export { viewedFilesContract as viewedFiles } from '../review/viewed-files/viewed-file.contract.ts'
export { instanceStatisticsContract as instanceStatistics } from './instance-statistics/instance-statistics.contract.ts'
export { licenseContract as license } from './license/license.contract.ts'
export { storageUseContract as storageUse } from './storage-use/storage-use.contract.ts'
export { versionContract as version } from './version/version.contract.ts'
