import type { Contracts } from '@stithy/core'
import {
  issueAwardHandlers,
  issueNoteAwardHandlers,
  mergeRequestAwardHandlers,
  mergeRequestNoteAwardHandlers,
  snippetAwardHandlers,
  snippetNoteAwardHandlers,
} from '../awards/award.handlers.ts'
import { boardHandlers, groupBoardHandlers } from '../boards/board.handlers.ts'
import { branchHandlers } from '../branches/branch.handlers.ts'
import { commitCommentHandlers } from '../commit-comments/commit-comment.handlers.ts'
import { commitStatusHandlers } from '../commit-statuses/commit-status.handlers.ts'
import { commitHandlers } from '../commits/commit.handlers.ts'
import {
  groupCustomAttributesHandlers,
  projectCustomAttributesHandlers,
  userCustomAttributesHandlers,
} from '../custom-attributes/custom-attribute.handlers.ts'
import { deployKeysHandlers } from '../deploy-keys/deploy-key.handlers.ts'
import { deployTokensHandlers } from '../deploy-tokens/deploy-token.handlers.ts'
import {
  commitDiscussionHandlers,
  epicDiscussionHandlers,
  issueDiscussionHandlers,
  mergeRequestDiscussionHandlers,
  snippetDiscussionHandlers,
} from '../discussions/discussion.handlers.ts'
import { eventHandlers } from '../events/event.handlers.ts'
import { groupsHandlers } from '../groups/group.handlers.ts'
import { issueLinksHandlers } from '../issue-links/issue-link.handlers.ts'
import { issueHandlers } from '../issues/issue.handlers.ts'
import { issueRelationsHandlers } from '../issues/issue-relations.handlers.ts'
import { issueListHandlers } from '../issues/lists/issue-list.handlers.ts'
import {
  epicLabelEventHandlers,
  issueLabelEventHandlers,
  mergeRequestLabelEventHandlers,
} from '../label-events/label-event.handlers.ts'
import { groupLabelHandlers } from '../labels/group-label.handlers.ts'
import { labelHandlers } from '../labels/label.handlers.ts'
import { markdownHandlers } from '../markdown/markdown.handlers.ts'
import { groupMembersHandlers, projectMembersHandlers } from '../members/member.handlers.ts'
import { mergeRequestHandlers } from '../merge-requests/merge-request.handlers.ts'
import { groupMilestoneHandlers, milestoneHandlers } from '../milestones/milestone.handlers.ts'
import { namespacesHandlers } from '../namespaces/namespace.handlers.ts'
import {
  epicNoteHandlers,
  issueNoteHandlers,
  mergeRequestNoteHandlers,
  snippetNoteHandlers,
} from '../notes/note.handlers.ts'
import { notificationSettingsHandlers } from '../notification-settings/notification-setting.handlers.ts'
import { participantHandlers } from '../participants/participant.handlers.ts'
import { projectsHandlers } from '../projects/project.handlers.ts'
import { protectedBranchesHandlers } from '../protected-branches/protected-branch.handlers.ts'
import { protectedTagsHandlers } from '../protected-tags/protected-tag.handlers.ts'
import { releaseHandlers } from '../releases/release.handlers.ts'
import { releaseLinkHandlers } from '../releases/release-link.handlers.ts'
import { repositoryHandlers } from '../repositories/repository.handlers.ts'
import { repositoryFileHandlers } from '../repository-files/repository-file.handlers.ts'
import { projectSnippetsHandlers } from '../snippets/project-snippet.handlers.ts'
import { snippetsHandlers } from '../snippets/snippet.handlers.ts'
import { submoduleHandlers } from '../submodules/submodule.handlers.ts'
import { tagHandlers } from '../tags/tag.handlers.ts'
import {
  issueTimeHandlers,
  mergeRequestTimeHandlers,
} from '../time-tracking/time-tracking.handlers.ts'
import { todoHandlers } from '../todos/todo.handlers.ts'
import { impersonationTokensHandlers } from '../tokens/impersonation-token.handlers.ts'
import { housekeepingHandlers } from '../upkeep/housekeeping.handlers.ts'
import { usersHandlers } from '../users/user.handlers.ts'
import { versionHandlers } from '../version/version.handlers.ts'
import { projectHooksHandlers } from '../webhooks/webhook.handlers.ts'
import type { Handlers } from './call.ts'

type AllHandlers = { readonly [Resource in keyof Contracts]: Handlers<Contracts[Resource]> }

/** The handlers of every contract; a contract without them does not compile. */
export const handlers: AllHandlers = {
  boards: boardHandlers,
  branches: branchHandlers,
  commitComments: commitCommentHandlers,
  commitDiscussions: commitDiscussionHandlers,
  commitStatuses: commitStatusHandlers,
  commits: commitHandlers,
  deployKeys: deployKeysHandlers,
  deployTokens: deployTokensHandlers,
  epicDiscussions: epicDiscussionHandlers,
  epicLabelEvents: epicLabelEventHandlers,
  epicNotes: epicNoteHandlers,
  events: eventHandlers,
  groupBoards: groupBoardHandlers,
  groupCustomAttributes: groupCustomAttributesHandlers,
  groupLabels: groupLabelHandlers,
  groupMembers: groupMembersHandlers,
  groupMilestones: groupMilestoneHandlers,
  groups: groupsHandlers,
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
  labels: labelHandlers,
  mergeRequestAwards: mergeRequestAwardHandlers,
  mergeRequestDiscussions: mergeRequestDiscussionHandlers,
  mergeRequestLabelEvents: mergeRequestLabelEventHandlers,
  mergeRequestNoteAwards: mergeRequestNoteAwardHandlers,
  mergeRequestNotes: mergeRequestNoteHandlers,
  markdown: markdownHandlers,
  mergeRequests: mergeRequestHandlers,
  milestones: milestoneHandlers,
  namespaces: namespacesHandlers,
  notificationSettings: notificationSettingsHandlers,
  participants: participantHandlers,
  projectCustomAttributes: projectCustomAttributesHandlers,
  projectHooks: projectHooksHandlers,
  projectMembers: projectMembersHandlers,
  projectSnippets: projectSnippetsHandlers,
  projects: projectsHandlers,
  protectedBranches: protectedBranchesHandlers,
  protectedTags: protectedTagsHandlers,
  releaseLinks: releaseLinkHandlers,
  releases: releaseHandlers,
  repository: repositoryHandlers,
  repositoryFiles: repositoryFileHandlers,
  snippetAwards: snippetAwardHandlers,
  snippetDiscussions: snippetDiscussionHandlers,
  snippetNoteAwards: snippetNoteAwardHandlers,
  snippetNotes: snippetNoteHandlers,
  snippets: snippetsHandlers,
  submodules: submoduleHandlers,
  tags: tagHandlers,
  todos: todoHandlers,
  userCustomAttributes: userCustomAttributesHandlers,
  users: usersHandlers,
  version: versionHandlers,
}
