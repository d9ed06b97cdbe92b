import { eventsContract } from '../activity/events/event.contract.ts'
import { notificationSettingsContract } from '../activity/notification-settings/notification-setting.contract.ts'
import { projectHooksContract } from '../activity/webhooks/webhook.contract.ts'
import { commitStatusesContract } from '../ci/commit-statuses/commit-status.contract.ts'
import { branchesContract } from '../code/branches/branch.contract.ts'
import { commitsContract } from '../code/commits/commit.contract.ts'
import { deployKeysContract } from '../code/deploy-keys/deploy-key.contract.ts'
import { deployTokensContract } from '../code/deploy-tokens/deploy-token.contract.ts'
import { repositoryFilesContract } from '../code/files/repository-file.contract.ts'
import { housekeepingContract } from '../code/housekeeping/housekeeping.contract.ts'
import { protectedBranchesContract } from '../code/protected-refs/protected-branch.contract.ts'
import { protectedTagsContract } from '../code/protected-refs/protected-tag.contract.ts'
import { releasesContract } from '../code/releases/release.contract.ts'
import { releaseLinksContract } from '../code/releases/release-link.contract.ts'
import { repositoryContract } from '../code/repositories/repository.contract.ts'
import { submodulesContract } from '../code/submodules/submodule.contract.ts'
import { tagsContract } from '../code/tags/tag.contract.ts'
import {
  groupCustomAttributesContract,
  projectCustomAttributesContract,
  userCustomAttributesContract,
} from '../directory/custom-attributes/custom-attribute.contract.ts'
import { groupsContract } from '../directory/groups/group.contract.ts'
import {
  groupMembersContract,
  projectMembersContract,
} from '../directory/members/member.contract.ts'
import { namespacesContract } from '../directory/namespaces/namespace.contract.ts'
import { projectsContract } from '../directory/projects/project.contract.ts'
import { impersonationTokensContract } from '../directory/tokens/impersonation-token.contract.ts'
import { usersContract } from '../directory/users/user.contract.ts'
import {
  issueAwardsContract,
  issueNoteAwardsContract,
  mergeRequestAwardsContract,
  mergeRequestNoteAwardsContract,
  snippetAwardsContract,
  snippetNoteAwardsContract,
} from '../planning/awards/award.contract.ts'
import { boardsContract, groupBoardsContract } from '../planning/boards/board.contract.ts'
import { commitCommentsContract } from '../planning/commit-comments/commit-comment.contract.ts'
import {
  commitDiscussionsContract,
  epicDiscussionsContract,
  issueDiscussionsContract,
  mergeRequestDiscussionsContract,
  snippetDiscussionsContract,
} from '../planning/discussions/discussion.contract.ts'
import { issueLinksContract } from '../planning/issue-links/issue-link.contract.ts'
import { issuesContract } from '../planning/issues/issue.contract.ts'
import { issueListsContract } from '../planning/issues/issue-list.contract.ts'
import { issueRelationsContract } from '../planning/issues/issue-relations.contract.ts'
import {
  epicLabelEventsContract,
  issueLabelEventsContract,
  mergeRequestLabelEventsContract,
} from '../planning/label-events/label-event.contract.ts'
import { groupLabelsContract, labelsContract } from '../planning/labels/label.contract.ts'
import { markdownContract } from '../planning/markdown/markdown.contract.ts'
import {
  groupMilestonesContract,
  milestonesContract,
} from '../planning/milestones/milestone.contract.ts'
import {
  epicNotesContract,
  issueNotesContract,
  mergeRequestNotesContract,
  snippetNotesContract,
} from '../planning/notes/note.contract.ts'
import { participantsContract } from '../planning/participants/participant.contract.ts'
import { projectSnippetsContract } from '../planning/snippets/project-snippet.contract.ts'
import { snippetsContract } from '../planning/snippets/snippet.contract.ts'
import { issueTimeContract } from '../planning/time-tracking/issue-time.contract.ts'
import { mergeRequestTimeContract } from '../planning/time-tracking/merge-request-time.contract.ts'
import { todosContract } from '../planning/todos/todo.contract.ts'
import { mergeRequestsContract } from '../review/merge-requests/merge-request.contract.ts'
import type { KnownContract } from './abilities.ts'
import { instanceStatisticsContract } from './instance-statistics/instance-statistics.contract.ts'
import { versionContract } from './version/version.contract.ts'

/**
 * Every contract, by the name that its handlers are listed under. SDK, CLI and OpenAPI use the
 * `name` of each endpoint instead.
 */
export const contracts = {
  boards: boardsContract,
  branches: branchesContract,
  commitComments: commitCommentsContract,
  commitDiscussions: commitDiscussionsContract,
  commitStatuses: commitStatusesContract,
  commits: commitsContract,
  deployKeys: deployKeysContract,
  deployTokens: deployTokensContract,
  epicDiscussions: epicDiscussionsContract,
  epicLabelEvents: epicLabelEventsContract,
  epicNotes: epicNotesContract,
  events: eventsContract,
  groupBoards: groupBoardsContract,
  groupCustomAttributes: groupCustomAttributesContract,
  groupLabels: groupLabelsContract,
  groupMembers: groupMembersContract,
  groupMilestones: groupMilestonesContract,
  groups: groupsContract,
  housekeeping: housekeepingContract,
  instanceStatistics: instanceStatisticsContract,
  impersonationTokens: impersonationTokensContract,
  issueAwards: issueAwardsContract,
  issueDiscussions: issueDiscussionsContract,
  issueLabelEvents: issueLabelEventsContract,
  issueLinks: issueLinksContract,
  issueLists: issueListsContract,
  issueNoteAwards: issueNoteAwardsContract,
  issueNotes: issueNotesContract,
  issueRelations: issueRelationsContract,
  issueTime: issueTimeContract,
  issues: issuesContract,
  labels: labelsContract,
  mergeRequestAwards: mergeRequestAwardsContract,
  mergeRequestDiscussions: mergeRequestDiscussionsContract,
  mergeRequestLabelEvents: mergeRequestLabelEventsContract,
  mergeRequestNoteAwards: mergeRequestNoteAwardsContract,
  mergeRequestNotes: mergeRequestNotesContract,
  markdown: markdownContract,
  mergeRequestTime: mergeRequestTimeContract,
  mergeRequests: mergeRequestsContract,
  milestones: milestonesContract,
  namespaces: namespacesContract,
  notificationSettings: notificationSettingsContract,
  participants: participantsContract,
  projectCustomAttributes: projectCustomAttributesContract,
  projectHooks: projectHooksContract,
  projectMembers: projectMembersContract,
  projectSnippets: projectSnippetsContract,
  projects: projectsContract,
  protectedBranches: protectedBranchesContract,
  protectedTags: protectedTagsContract,
  releaseLinks: releaseLinksContract,
  releases: releasesContract,
  repository: repositoryContract,
  repositoryFiles: repositoryFilesContract,
  snippetAwards: snippetAwardsContract,
  snippetDiscussions: snippetDiscussionsContract,
  snippetNoteAwards: snippetNoteAwardsContract,
  snippetNotes: snippetNotesContract,
  snippets: snippetsContract,
  submodules: submodulesContract,
  tags: tagsContract,
  todos: todosContract,
  userCustomAttributes: userCustomAttributesContract,
  users: usersContract,
  version: versionContract,
} as const satisfies Record<string, KnownContract>

export type Contracts = typeof contracts
