import type { CallerFacts } from '../../platform/access/caller.ts'
import type { Visibility } from '../../platform/access/level.ts'
import { type AccessRule, absent, type Decision, passes } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'

/** What the policy needs of a group, for one caller. */
export interface GroupFacts {
  visibility: Visibility
  /** The caller's effective level, including inherited ones; 0 for none. */
  level: number
  /**
   * True when the caller can read a project in the group, which makes the group itself readable.
   */
  holdsReadableProject: boolean
}

/** The rule of each ability. */
export const groupRules = {
  read_group: { from: 10, nonMembers: 'anyone' },
  read_group_members: { from: 10, nonMembers: 'signed_in' },
  update_group: { from: 50 },
  delete_group: { from: 50 },
  create_subgroup: { from: 50, exceptExternal: true },
  create_projects: { from: 30, exceptExternal: true },
  admin_group_members: { from: 50 },
  share_group: { from: 50 },
  request_group_access: { from: 10, nonMembers: 'signed_in', exceptMembers: true },
  admin_group_access_requests: { from: 50 },
  admin_group_badges: { from: 50 },
  read_group_audit_events: { from: 50 },
  admin_group_hooks: { from: 50 },
  read_group_labels: { from: 10, nonMembers: 'anyone' },
  subscribe_to_group_labels: { from: 10, nonMembers: 'signed_in' },
  admin_group_labels: { from: 20 },
  promote_group_labels: { from: 40 },
  read_group_issues: { from: 10, nonMembers: 'anyone' },
  read_group_merge_requests: { from: 10, nonMembers: 'anyone' },
  read_group_milestones: { from: 10, nonMembers: 'anyone' },
  admin_group_milestones: { from: 30 },
  read_group_boards: { from: 10, nonMembers: 'anyone' },
  admin_group_boards: { from: 20 },
  follow_group: { from: 10, nonMembers: 'signed_in' },
  read_epics: { from: 10, nonMembers: 'anyone' },
  comment_on_epics: { from: 10, nonMembers: 'signed_in' },
  admin_epics: { from: 20 },
  delete_epics: { from: 50 },
  moderate_epic_notes: { from: 40 },
  set_epic_note_dates: { from: 50 },
} as const satisfies Record<string, AccessRule>

export type GroupAbility = keyof typeof groupRules

/**
 * Abilities that come with a readable project in the group, whose issues, merge requests and labels
 * the group lists.
 */
const throughProjects: ReadonlySet<GroupAbility> = new Set([
  'read_group',
  'read_group_issues',
  'read_group_merge_requests',
  'read_group_labels',
  'read_group_milestones',
  'read_group_boards',
] as const)

/**
 * Whether the caller may do `ability` to the group, which is absent for callers who may not read
 * it.
 */
export function decideOnGroup(
  ability: GroupAbility,
  caller: CallerFacts,
  group: GroupFacts,
): Decision {
  if (may(ability, caller, group)) return { allowed: true }
  return may('read_group', caller, group) ? { allowed: false } : absent
}

function may(ability: GroupAbility, caller: CallerFacts, group: GroupFacts): boolean {
  if (group.holdsReadableProject && throughProjects.has(ability)) return true
  return passes(groupRules[ability], caller, group.level, group.visibility)
}

export const groupPolicy: SubjectPolicy<GroupAbility, GroupFacts> = {
  title: 'Group',
  rules: groupRules,
  decide: decideOnGroup,
}
