import {
  issueAwardsContract,
  issueNoteAwardsContract,
  mergeRequestAwardsContract,
  mergeRequestNoteAwardsContract,
  snippetAwardsContract,
  snippetNoteAwardsContract,
} from '../awards/award.contract.ts'
import { boardsContract, groupBoardsContract } from '../boards/board.contract.ts'
import { branchesContract } from '../branches/branch.contract.ts'
import { commitCommentsContract } from '../commit-comments/commit-comment.contract.ts'
import { commitStatusesContract } from '../commit-statuses/commit-status.contract.ts'
import { commitsContract } from '../commits/commit.contract.ts'
import {
  groupCustomAttributesContract,
  projectCustomAttributesContract,
  userCustomAttributesContract,
} from '../custom-attributes/custom-attribute.contract.ts'
import { deployKeysContract } from '../deploy-keys/deploy-key.contract.ts'
import { deployTokensContract } from '../deploy-tokens/deploy-token.contract.ts'
import {
  commitDiscussionsContract,
  epicDiscussionsContract,
  issueDiscussionsContract,
  mergeRequestDiscussionsContract,
  snippetDiscussionsContract,
} from '../discussions/discussion.contract.ts'
import { eventsContract } from '../events/event.contract.ts'
import { groupsContract } from '../groups/group.contract.ts'
import { issueLinksContract } from '../issue-links/issue-link.contract.ts'
import { issuesContract } from '../issues/issue.contract.ts'
import { issueListsContract } from '../issues/issue-list.contract.ts'
import { issueRelationsContract } from '../issues/issue-relations.contract.ts'
import {
  epicLabelEventsContract,
  issueLabelEventsContract,
  mergeRequestLabelEventsContract,
} from '../label-events/label-event.contract.ts'
import { groupLabelsContract, labelsContract } from '../labels/label.contract.ts'
import { markdownContract } from '../markdown/markdown.contract.ts'
import { groupMembersContract, projectMembersContract } from '../members/member.contract.ts'
import { mergeRequestsContract } from '../merge-requests/merge-request.contract.ts'
import { groupMilestonesContract, milestonesContract } from '../milestones/milestone.contract.ts'
import { namespacesContract } from '../namespaces/namespace.contract.ts'
import {
  epicNotesContract,
  issueNotesContract,
  mergeRequestNotesContract,
  snippetNotesContract,
} from '../notes/note.contract.ts'
import { notificationSettingsContract } from '../notification-settings/notification-setting.contract.ts'
import { participantsContract } from '../participants/participant.contract.ts'
import { projectsContract } from '../projects/project.contract.ts'
import { protectedBranchesContract } from '../protected-branches/protected-branch.contract.ts'
import { protectedTagsContract } from '../protected-tags/protected-tag.contract.ts'
import { releaseLinksContract } from '../release-links/release-link.contract.ts'
import { releasesContract } from '../releases/release.contract.ts'
import { housekeepingContract } from '../repositories/housekeeping.contract.ts'
import { repositoryContract } from '../repositories/repository.contract.ts'
import { repositoryFilesContract } from '../repository-files/repository-file.contract.ts'
import { projectSnippetsContract } from '../snippets/project-snippet.contract.ts'
import { snippetsContract } from '../snippets/snippet.contract.ts'
import { submodulesContract } from '../submodules/submodule.contract.ts'
import { tagsContract } from '../tags/tag.contract.ts'
import { issueTimeContract } from '../time-tracking/issue-time.contract.ts'
import { mergeRequestTimeContract } from '../time-tracking/merge-request-time.contract.ts'
import { todosContract } from '../todos/todo.contract.ts'
import { impersonationTokensContract } from '../tokens/impersonation-token.contract.ts'
import { usersContract } from '../users/user.contract.ts'
import { versionContract } from '../version/version.contract.ts'
import { projectHooksContract } from '../webhooks/webhook.contract.ts'
import type { Contract } from './endpoint.ts'

/** Every contract by the name of its resource; the SDK, the CLI, the routes and OpenAPI follow it. */
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
} as const satisfies Record<string, Contract>

export type Contracts = typeof contracts
