import type { Contracts } from '@stithy/core'
import { branchHandlers } from '../branches/branch.handlers.ts'
import { commitHandlers } from '../commits/commit.handlers.ts'
import {
  groupCustomAttributesHandlers,
  projectCustomAttributesHandlers,
  userCustomAttributesHandlers,
} from '../custom-attributes/custom-attribute.handlers.ts'
import { eventHandlers } from '../events/event.handlers.ts'
import { groupsHandlers } from '../groups/group.handlers.ts'
import { groupMembersHandlers, projectMembersHandlers } from '../members/member.handlers.ts'
import { namespacesHandlers } from '../namespaces/namespace.handlers.ts'
import { projectsHandlers } from '../projects/project.handlers.ts'
import { repositoryHandlers } from '../repositories/repository.handlers.ts'
import { repositoryFileHandlers } from '../repository-files/repository-file.handlers.ts'
import { impersonationTokensHandlers } from '../tokens/impersonation-token.handlers.ts'
import { usersHandlers } from '../users/user.handlers.ts'
import { versionHandlers } from '../version/version.handlers.ts'
import type { Handlers } from './call.ts'

type AllHandlers = { readonly [Resource in keyof Contracts]: Handlers<Contracts[Resource]> }

/** The handlers of every contract; a contract without them does not compile. */
export const handlers: AllHandlers = {
  branches: branchHandlers,
  commits: commitHandlers,
  events: eventHandlers,
  groupCustomAttributes: groupCustomAttributesHandlers,
  groupMembers: groupMembersHandlers,
  groups: groupsHandlers,
  impersonationTokens: impersonationTokensHandlers,
  namespaces: namespacesHandlers,
  projectCustomAttributes: projectCustomAttributesHandlers,
  projectMembers: projectMembersHandlers,
  projects: projectsHandlers,
  repository: repositoryHandlers,
  repositoryFiles: repositoryFileHandlers,
  userCustomAttributes: userCustomAttributesHandlers,
  users: usersHandlers,
  version: versionHandlers,
}
