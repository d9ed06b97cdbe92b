import { branchesContract } from '../branches/branch.contract.ts'
import { commitsContract } from '../commits/commit.contract.ts'
import {
  groupCustomAttributesContract,
  projectCustomAttributesContract,
  userCustomAttributesContract,
} from '../custom-attributes/custom-attribute.contract.ts'
import { eventsContract } from '../events/event.contract.ts'
import { groupsContract } from '../groups/group.contract.ts'
import { groupMembersContract, projectMembersContract } from '../members/member.contract.ts'
import { namespacesContract } from '../namespaces/namespace.contract.ts'
import { projectsContract } from '../projects/project.contract.ts'
import { repositoryContract } from '../repositories/repository.contract.ts'
import { repositoryFilesContract } from '../repository-files/repository-file.contract.ts'
import { impersonationTokensContract } from '../tokens/impersonation-token.contract.ts'
import { usersContract } from '../users/user.contract.ts'
import { versionContract } from '../version/version.contract.ts'
import type { Contract } from './endpoint.ts'

/** Every contract by the name of its resource; the SDK, the CLI, the routes and OpenAPI follow it. */
export const contracts = {
  branches: branchesContract,
  commits: commitsContract,
  events: eventsContract,
  groupCustomAttributes: groupCustomAttributesContract,
  groupMembers: groupMembersContract,
  groups: groupsContract,
  impersonationTokens: impersonationTokensContract,
  namespaces: namespacesContract,
  projectCustomAttributes: projectCustomAttributesContract,
  projectMembers: projectMembersContract,
  projects: projectsContract,
  repository: repositoryContract,
  repositoryFiles: repositoryFilesContract,
  userCustomAttributes: userCustomAttributesContract,
  users: usersContract,
  version: versionContract,
} as const satisfies Record<string, Contract>

export type Contracts = typeof contracts
