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
import { commitDiscussionsContract } from '../discussions/commit-discussion.contract.ts'
import { eventsContract } from '../events/event.contract.ts'
import { groupsContract } from '../groups/group.contract.ts'
import { groupMembersContract, projectMembersContract } from '../members/member.contract.ts'
import { mergeRequestsContract } from '../merge-requests/merge-request.contract.ts'
import { namespacesContract } from '../namespaces/namespace.contract.ts'
import { projectsContract } from '../projects/project.contract.ts'
import { protectedBranchesContract } from '../protected-branches/protected-branch.contract.ts'
import { protectedTagsContract } from '../protected-tags/protected-tag.contract.ts'
import { releaseLinksContract } from '../release-links/release-link.contract.ts'
import { releasesContract } from '../releases/release.contract.ts'
import { housekeepingContract } from '../repositories/housekeeping.contract.ts'
import { repositoryContract } from '../repositories/repository.contract.ts'
import { repositoryFilesContract } from '../repository-files/repository-file.contract.ts'
import { submodulesContract } from '../submodules/submodule.contract.ts'
import { tagsContract } from '../tags/tag.contract.ts'
import { impersonationTokensContract } from '../tokens/impersonation-token.contract.ts'
import { usersContract } from '../users/user.contract.ts'
import { versionContract } from '../version/version.contract.ts'
import { projectHooksContract } from '../webhooks/webhook.contract.ts'
import type { Contract } from './endpoint.ts'

/** Every contract by the name of its resource; the SDK, the CLI, the routes and OpenAPI follow it. */
export const contracts = {
  branches: branchesContract,
  commitComments: commitCommentsContract,
  commitDiscussions: commitDiscussionsContract,
  commitStatuses: commitStatusesContract,
  commits: commitsContract,
  deployKeys: deployKeysContract,
  deployTokens: deployTokensContract,
  events: eventsContract,
  groupCustomAttributes: groupCustomAttributesContract,
  groupMembers: groupMembersContract,
  groups: groupsContract,
  housekeeping: housekeepingContract,
  impersonationTokens: impersonationTokensContract,
  mergeRequests: mergeRequestsContract,
  namespaces: namespacesContract,
  projectCustomAttributes: projectCustomAttributesContract,
  projectHooks: projectHooksContract,
  projectMembers: projectMembersContract,
  projects: projectsContract,
  protectedBranches: protectedBranchesContract,
  protectedTags: protectedTagsContract,
  releaseLinks: releaseLinksContract,
  releases: releasesContract,
  repository: repositoryContract,
  repositoryFiles: repositoryFilesContract,
  submodules: submodulesContract,
  tags: tagsContract,
  userCustomAttributes: userCustomAttributesContract,
  users: usersContract,
  version: versionContract,
} as const satisfies Record<string, Contract>

export type Contracts = typeof contracts
