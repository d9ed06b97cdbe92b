import type { Contracts } from '@stithy/core'
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
import { commitDiscussionHandlers } from '../discussions/commit-discussion.handlers.ts'
import { eventHandlers } from '../events/event.handlers.ts'
import { groupsHandlers } from '../groups/group.handlers.ts'
import { groupMembersHandlers, projectMembersHandlers } from '../members/member.handlers.ts'
import { mergeRequestHandlers } from '../merge-requests/merge-request.handlers.ts'
import { namespacesHandlers } from '../namespaces/namespace.handlers.ts'
import { projectsHandlers } from '../projects/project.handlers.ts'
import { protectedBranchesHandlers } from '../protected-branches/protected-branch.handlers.ts'
import { protectedTagsHandlers } from '../protected-tags/protected-tag.handlers.ts'
import { releaseHandlers } from '../releases/release.handlers.ts'
import { releaseLinkHandlers } from '../releases/release-link.handlers.ts'
import { repositoryHandlers } from '../repositories/repository.handlers.ts'
import { repositoryFileHandlers } from '../repository-files/repository-file.handlers.ts'
import { submoduleHandlers } from '../submodules/submodule.handlers.ts'
import { tagHandlers } from '../tags/tag.handlers.ts'
import { impersonationTokensHandlers } from '../tokens/impersonation-token.handlers.ts'
import { housekeepingHandlers } from '../upkeep/housekeeping.handlers.ts'
import { usersHandlers } from '../users/user.handlers.ts'
import { versionHandlers } from '../version/version.handlers.ts'
import { projectHooksHandlers } from '../webhooks/webhook.handlers.ts'
import type { Handlers } from './call.ts'

type AllHandlers = { readonly [Resource in keyof Contracts]: Handlers<Contracts[Resource]> }

/** The handlers of every contract; a contract without them does not compile. */
export const handlers: AllHandlers = {
  branches: branchHandlers,
  commitComments: commitCommentHandlers,
  commitDiscussions: commitDiscussionHandlers,
  commitStatuses: commitStatusHandlers,
  commits: commitHandlers,
  deployKeys: deployKeysHandlers,
  deployTokens: deployTokensHandlers,
  events: eventHandlers,
  groupCustomAttributes: groupCustomAttributesHandlers,
  groupMembers: groupMembersHandlers,
  groups: groupsHandlers,
  housekeeping: housekeepingHandlers,
  impersonationTokens: impersonationTokensHandlers,
  mergeRequests: mergeRequestHandlers,
  namespaces: namespacesHandlers,
  projectCustomAttributes: projectCustomAttributesHandlers,
  projectHooks: projectHooksHandlers,
  projectMembers: projectMembersHandlers,
  projects: projectsHandlers,
  protectedBranches: protectedBranchesHandlers,
  protectedTags: protectedTagsHandlers,
  releaseLinks: releaseLinkHandlers,
  releases: releaseHandlers,
  repository: repositoryHandlers,
  repositoryFiles: repositoryFileHandlers,
  submodules: submoduleHandlers,
  tags: tagHandlers,
  userCustomAttributes: userCustomAttributesHandlers,
  users: usersHandlers,
  version: versionHandlers,
}
