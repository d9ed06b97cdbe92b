import type { Contracts } from '@stithy/core'
import {
  auditEventHandlers,
  groupAuditEventHandlers,
  projectAuditEventHandlers,
} from '../activity/audit-events/audit-event.handlers.ts'
import { eventStreamHandlers } from '../activity/event-streams/event-stream.handlers.ts'
import { eventHandlers } from '../activity/events/event.handlers.ts'
import { notificationSettingsHandlers } from '../activity/notification-settings/notification-setting.handlers.ts'
import { searchHandlers } from '../activity/search/search.handlers.ts'
import { searchIndexHandlers } from '../activity/search-index/search-index.handlers.ts'
import {
  groupHooksHandlers,
  projectHooksHandlers,
  systemHooksHandlers,
} from '../activity/webhooks/webhook.handlers.ts'
import { commitStatusHandlers } from '../ci/commit-statuses/commit-status.handlers.ts'
import {
  deploymentHandlers,
  environmentDetailHandlers,
} from '../ci/deployments/deployment.handlers.ts'
import { environmentHandlers } from '../ci/environments/environment.handlers.ts'
import { lintHandlers } from '../ci/lint/lint.handlers.ts'
import { vulnerabilityHandlers } from '../ci/vulnerabilities/vulnerability.handlers.ts'
import { groupBadgeHandlers, projectBadgeHandlers } from '../code/badges/badge.handlers.ts'
import { branchHandlers } from '../code/branches/branch.handlers.ts'
import { commitHandlers } from '../code/commits/commit.handlers.ts'
import { deployKeysHandlers } from '../code/deploy-keys/deploy-key.handlers.ts'
import { deployTokensHandlers } from '../code/deploy-tokens/deploy-token.handlers.ts'
import { repositoryFileHandlers } from '../code/files/repository-file.handlers.ts'
import { housekeepingHandlers } from '../code/housekeeping/housekeeping.handlers.ts'
import { instanceKeyHandlers } from '../code/instance-keys/instance-key.handlers.ts'
import { protectedBranchesHandlers } from '../code/protected-refs/branches/protected-branch.handlers.ts'
import { protectedTagsHandlers } from '../code/protected-refs/tags/protected-tag.handlers.ts'
import { releaseHandlers } from '../code/releases/release.handlers.ts'
import { releaseLinkHandlers } from '../code/releases/release-link.handlers.ts'
import { tagReleaseHandlers } from '../code/releases/tag-release.handlers.ts'
import { snapshotHandlers } from '../code/repositories/archives/snapshot.handlers.ts'
import { repositoryHandlers } from '../code/repositories/repository.handlers.ts'
import { fetchStatisticsHandlers } from '../code/statistics/fetch-statistics.handlers.ts'
import { submoduleHandlers } from '../code/submodules/submodule.handlers.ts'
import { tagHandlers } from '../code/tags/tag.handlers.ts'
import { wikiAttachmentHandlers, wikiHandlers } from '../code/wikis/wiki.handlers.ts'
import {
  groupAccessRequestHandlers,
  projectAccessRequestHandlers,
} from '../directory/access-requests/access-request.handlers.ts'
import { appearanceHandlers } from '../directory/appearance/appearance.handlers.ts'
import { avatarHandlers } from '../directory/avatars/avatar.handlers.ts'
import { broadcastMessageHandlers } from '../directory/broadcast-messages/broadcast-message.handlers.ts'
import {
  groupCustomAttributesHandlers,
  projectCustomAttributesHandlers,
  userCustomAttributesHandlers,
} from '../directory/custom-attributes/custom-attribute.handlers.ts'
import { featureHandlers } from '../directory/features/feature.handlers.ts'
import { forkHandlers } from '../directory/forks/fork.handlers.ts'
import { groupsHandlers } from '../directory/groups/group.handlers.ts'
import { userGpgKeyHandlers } from '../directory/keys/gpg-key.handlers.ts'
import { userKeyHandlers } from '../directory/keys/ssh-key.handlers.ts'
import {
  groupMembersHandlers,
  projectMembersHandlers,
} from '../directory/members/member.handlers.ts'
import { projectUsersHandlers } from '../directory/members/project-users.handlers.ts'
import { membershipHandlers } from '../directory/memberships/membership.handlers.ts'
import { namespacesHandlers } from '../directory/namespaces/namespace.handlers.ts'
import { applicationHandlers } from '../directory/oauth/application.handlers.ts'
import { pagesDomainHandlers } from '../directory/pages-domains/pages-domain.handlers.ts'
import { projectUploadHandlers } from '../directory/project-uploads/project-upload.handlers.ts'
import { projectsHandlers } from '../directory/projects/project.handlers.ts'
import { starrerHandlers } from '../directory/projects/starrer.handlers.ts'
import { scimTokenHandlers } from '../directory/scim/scim-token.handlers.ts'
import { settingsHandlers } from '../directory/settings/settings.handlers.ts'
import { groupShareHandlers } from '../directory/shares/group-share.handlers.ts'
import { projectShareHandlers } from '../directory/shares/project-share.handlers.ts'
import {
  ciTemplateHandlers,
  dockerfileTemplateHandlers,
  gitignoreTemplateHandlers,
  licenseTemplateHandlers,
  projectTemplateHandlers,
} from '../directory/templates/template.handlers.ts'
import { impersonationTokensHandlers } from '../directory/tokens/impersonation-token.handlers.ts'
import { twoFactorHandlers } from '../directory/two-factor/two-factor.handlers.ts'
import { userActivityHandlers } from '../directory/user-activities/user-activity.handlers.ts'
import { userPreferencesHandlers } from '../directory/user-preferences/user-preferences.handlers.ts'
import { userStatusHandlers } from '../directory/user-status/user-status.handlers.ts'
import { userEmailHandlers } from '../directory/users/emails/email.handlers.ts'
import { userProfileHandlers } from '../directory/users/profile.handlers.ts'
import { usersHandlers } from '../directory/users/user.handlers.ts'
import {
  epicAwardHandlers,
  epicNoteAwardHandlers,
  issueAwardHandlers,
  issueNoteAwardHandlers,
  mergeRequestAwardHandlers,
  mergeRequestNoteAwardHandlers,
  snippetAwardHandlers,
  snippetNoteAwardHandlers,
} from '../planning/awards/award.handlers.ts'
import { boardHandlers, groupBoardHandlers } from '../planning/boards/board.handlers.ts'
import { commitCommentHandlers } from '../planning/commit-comments/commit-comment.handlers.ts'
import {
  commitDiscussionHandlers,
  epicDiscussionHandlers,
  issueDiscussionHandlers,
  mergeRequestDiscussionHandlers,
  snippetDiscussionHandlers,
} from '../planning/discussions/discussion.handlers.ts'
import { epicIssueHandlers } from '../planning/epic-issues/epic-issue.handlers.ts'
import { epicLinkHandlers } from '../planning/epic-links/epic-link.handlers.ts'
import { epicHandlers } from '../planning/epics/epic.handlers.ts'
import { issueLinksHandlers } from '../planning/issue-links/issue-link.handlers.ts'
import { issueHandlers } from '../planning/issues/issue.handlers.ts'
import { issueListHandlers } from '../planning/issues/lists/issue-list.handlers.ts'
import {
  epicLabelEventHandlers,
  issueLabelEventHandlers,
  mergeRequestLabelEventHandlers,
} from '../planning/label-events/label-event.handlers.ts'
import { groupLabelHandlers } from '../planning/labels/group-label.handlers.ts'
import { labelHandlers } from '../planning/labels/label.handlers.ts'
import { markdownHandlers } from '../planning/markdown/markdown.handlers.ts'
import {
  groupMilestoneHandlers,
  milestoneHandlers,
} from '../planning/milestones/milestone.handlers.ts'
import {
  epicNoteHandlers,
  issueNoteHandlers,
  mergeRequestNoteHandlers,
  snippetNoteHandlers,
} from '../planning/notes/note.handlers.ts'
import { participantHandlers } from '../planning/participants/participant.handlers.ts'
import { projectSnippetsHandlers } from '../planning/snippets/project-snippet.handlers.ts'
import { snippetsHandlers } from '../planning/snippets/snippet.handlers.ts'
import {
  issueTimeHandlers,
  mergeRequestTimeHandlers,
} from '../planning/time-tracking/time-tracking.handlers.ts'
import { todoHandlers } from '../planning/todos/todo.handlers.ts'
import { vulnerabilityIssueHandlers } from '../planning/vulnerability-issues/vulnerability-issue.handlers.ts'
import type { Handlers } from '../platform/http/call.ts'
import { jobQueueHandlers } from '../platform/jobs/job-queue.handlers.ts'
import { approvalRulesHandlers } from '../review/approvals/approval-rules.handlers.ts'
import { approvalsHandlers } from '../review/approvals/approvals.handlers.ts'
import { issueRelationsHandlers } from '../review/merge-requests/issue-relations.handlers.ts'
import { mergeRequestListHandlers } from '../review/merge-requests/lists/merge-request-list.handlers.ts'
import { mergeRequestHandlers } from '../review/merge-requests/merge-request.handlers.ts'
import { mergeRequestVersionHandlers } from '../review/merge-requests/merge-request-version.handlers.ts'
import { mergingHandlers } from '../review/merging/merging.handlers.ts'
import { suggestionHandlers } from '../review/suggestions/suggestion.handlers.ts'
import { userCountsHandlers } from '../review/user-counts/user-counts.handlers.ts'
import { viewedFileHandlers } from '../review/viewed-files/viewed-file.handlers.ts'
import { instanceStatisticsHandlers } from './instance-statistics/instance-statistics.handlers.ts'
import { licenseHandlers } from './license/license.handlers.ts'
import { storageUseHandlers } from './storage-use/storage-use.handlers.ts'
import { versionHandlers } from './version/version.handlers.ts'

type AllHandlers = { readonly [Resource in keyof Contracts]: Handlers<Contracts[Resource]> }

/** The handlers of every contract; a contract without handlers does not compile. */
export const handlers: AllHandlers = {
  applications: applicationHandlers,
  approvalRules: approvalRulesHandlers,
  approvals: approvalsHandlers,
  avatars: avatarHandlers,
  boards: boardHandlers,
  branches: branchHandlers,
  ciTemplates: ciTemplateHandlers,
  commitComments: commitCommentHandlers,
  commitDiscussions: commitDiscussionHandlers,
  commitStatuses: commitStatusHandlers,
  commits: commitHandlers,
  deployKeys: deployKeysHandlers,
  deployTokens: deployTokensHandlers,
  deployments: deploymentHandlers,
  dockerfileTemplates: dockerfileTemplateHandlers,
  epicAwards: epicAwardHandlers,
  environments: { ...environmentHandlers, ...environmentDetailHandlers },
  epicDiscussions: epicDiscussionHandlers,
  epicIssues: epicIssueHandlers,
  epicLabelEvents: epicLabelEventHandlers,
  epicLinks: epicLinkHandlers,
  epicNoteAwards: epicNoteAwardHandlers,
  epicNotes: epicNoteHandlers,
  epics: epicHandlers,
  events: eventHandlers,
  eventStreams: eventStreamHandlers,
  fetchStatistics: fetchStatisticsHandlers,
  forks: forkHandlers,
  groupAccessRequests: groupAccessRequestHandlers,
  gitignoreTemplates: gitignoreTemplateHandlers,
  groupBadges: groupBadgeHandlers,
  groupBoards: groupBoardHandlers,
  groupCustomAttributes: groupCustomAttributesHandlers,
  groupLabels: groupLabelHandlers,
  groupMembers: groupMembersHandlers,
  groupMilestones: groupMilestoneHandlers,
  groups: { ...groupsHandlers, ...groupShareHandlers },
  housekeeping: housekeepingHandlers,
  impersonationTokens: impersonationTokensHandlers,
  issueLabelEvents: issueLabelEventHandlers,
  issueLinks: issueLinksHandlers,
  issueLists: issueListHandlers,
  issueRelations: issueRelationsHandlers,
  issueTime: issueTimeHandlers,
  mergeRequestTime: mergeRequestTimeHandlers,
  issueAwards: issueAwardHandlers,
  issueDiscussions: issueDiscussionHandlers,
  issueNoteAwards: issueNoteAwardHandlers,
  issueNotes: issueNoteHandlers,
  issues: issueHandlers,
  jobQueue: jobQueueHandlers,
  labels: labelHandlers,
  lint: lintHandlers,
  licenseTemplates: licenseTemplateHandlers,
  mergeRequestAwards: mergeRequestAwardHandlers,
  mergeRequestDiscussions: mergeRequestDiscussionHandlers,
  mergeRequestLabelEvents: mergeRequestLabelEventHandlers,
  mergeRequestLists: mergeRequestListHandlers,
  mergeRequestNoteAwards: mergeRequestNoteAwardHandlers,
  mergeRequestNotes: mergeRequestNoteHandlers,
  markdown: markdownHandlers,
  mergeRequestVersions: mergeRequestVersionHandlers,
  mergeRequests: mergeRequestHandlers,
  merging: mergingHandlers,
  milestones: milestoneHandlers,
  namespaces: namespacesHandlers,
  notificationSettings: notificationSettingsHandlers,
  pagesDomains: pagesDomainHandlers,
  participants: participantHandlers,
  projectAccessRequests: projectAccessRequestHandlers,
  projectBadges: projectBadgeHandlers,
  projectCustomAttributes: projectCustomAttributesHandlers,
  groupHooks: groupHooksHandlers,
  projectHooks: projectHooksHandlers,
  systemHooks: systemHooksHandlers,
  projectMembers: projectMembersHandlers,
  projectSnippets: projectSnippetsHandlers,
  projectTemplates: projectTemplateHandlers,
  projectUploads: projectUploadHandlers,
  projects: { ...projectsHandlers, ...projectUsersHandlers, ...projectShareHandlers },
  protectedBranches: protectedBranchesHandlers,
  protectedTags: protectedTagsHandlers,
  releaseLinks: releaseLinkHandlers,
  releases: releaseHandlers,
  repository: repositoryHandlers,
  repositoryFiles: repositoryFileHandlers,
  search: searchHandlers,
  searchIndex: searchIndexHandlers,
  settings: settingsHandlers,
  snapshots: snapshotHandlers,
  snippetAwards: snippetAwardHandlers,
  snippetDiscussions: snippetDiscussionHandlers,
  snippetNoteAwards: snippetNoteAwardHandlers,
  snippetNotes: snippetNoteHandlers,
  snippets: snippetsHandlers,
  scimTokens: scimTokenHandlers,
  starrers: starrerHandlers,
  submodules: submoduleHandlers,
  tags: { ...tagHandlers, ...tagReleaseHandlers },
  suggestions: suggestionHandlers,
  todos: todoHandlers,
  userCustomAttributes: userCustomAttributesHandlers,
  memberships: membershipHandlers,
  twoFactor: twoFactorHandlers,
  userActivities: userActivityHandlers,
  userPreferences: userPreferencesHandlers,
  userProfile: userProfileHandlers,
  userStatus: userStatusHandlers,
  users: usersHandlers,
  vulnerabilities: vulnerabilityHandlers,
  vulnerabilityIssues: vulnerabilityIssueHandlers,
  wikiAttachments: wikiAttachmentHandlers,
  wikis: wikiHandlers,
  instanceKeys: instanceKeyHandlers,
  userCounts: userCountsHandlers,
  viewedFiles: viewedFileHandlers,
  userEmails: userEmailHandlers,
  userGpgKeys: userGpgKeyHandlers,
  userKeys: userKeyHandlers,
  instanceStatistics: instanceStatisticsHandlers,
  appearance: appearanceHandlers,
  auditEvents: auditEventHandlers,
  groupAuditEvents: groupAuditEventHandlers,
  projectAuditEvents: projectAuditEventHandlers,
  broadcastMessages: broadcastMessageHandlers,
  features: featureHandlers,
  license: licenseHandlers,
  storageUse: storageUseHandlers,
  version: versionHandlers,
}
