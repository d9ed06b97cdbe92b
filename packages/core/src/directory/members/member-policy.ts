import type { CallerFacts } from '../../platform/access/caller.ts'
import type { Decision } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'
import { decideOnGroup, type GroupAbility, type GroupFacts } from '../groups/group-policy.ts'
import {
  decideOnProject,
  type ProjectAbility,
  type ProjectFacts,
} from '../projects/project-policy.ts'

/** What the policy needs of a membership, or a request for one; whether it exists is not decided here. */
export interface MemberFacts<Source> {
  source: Source
  /** Whether it is the caller's own. */
  own: boolean
}

export const projectMemberRules = {
  remove_project_member: { project: 'read_members', needs: 'admin_members', or: 'self' },
  delete_project_access_request: {
    project: 'read_project',
    needs: 'admin_access_requests',
    or: 'self',
  },
} as const satisfies Record<string, { project: ProjectAbility; needs: ProjectAbility; or: 'self' }>

export type ProjectMemberAbility = keyof typeof projectMemberRules

/** Users may leave, or withdraw their request; what others do requires the right to manage these. */
export function decideOnProjectMember(
  ability: ProjectMemberAbility,
  caller: CallerFacts,
  { source, own }: MemberFacts<ProjectFacts>,
): Decision {
  const rule = projectMemberRules[ability]
  const decision = decideOnProject(rule.project, caller, source)
  return own || !decision.allowed ? decision : decideOnProject(rule.needs, caller, source)
}

export const projectMemberPolicy: SubjectPolicy<ProjectMemberAbility, MemberFacts<ProjectFacts>> = {
  title: 'Member',
  rules: projectMemberRules,
  parent: 'project',
  onParent: (ability) => [projectMemberRules[ability].project],
  decide: decideOnProjectMember,
}

export const groupMemberRules = {
  remove_group_member: { group: 'read_group_members', needs: 'admin_group_members', or: 'self' },
  delete_group_access_request: {
    group: 'read_group',
    needs: 'admin_group_access_requests',
    or: 'self',
  },
} as const satisfies Record<string, { group: GroupAbility; needs: GroupAbility; or: 'self' }>

export type GroupMemberAbility = keyof typeof groupMemberRules

/** As for projects. */
export function decideOnGroupMember(
  ability: GroupMemberAbility,
  caller: CallerFacts,
  { source, own }: MemberFacts<GroupFacts>,
): Decision {
  const rule = groupMemberRules[ability]
  const decision = decideOnGroup(rule.group, caller, source)
  return own || !decision.allowed ? decision : decideOnGroup(rule.needs, caller, source)
}

export const groupMemberPolicy: SubjectPolicy<GroupMemberAbility, MemberFacts<GroupFacts>> = {
  title: 'Member',
  rules: groupMemberRules,
  parent: 'group',
  onParent: (ability) => [groupMemberRules[ability].group],
  decide: decideOnGroupMember,
}
