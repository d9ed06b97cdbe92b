import type { CallerFacts } from './caller.ts'
import type { Visibility } from './level.ts'
import { type AccessRule, type Decision, passes } from './rule.ts'

/** What the policy knows of a group, seen from one caller. */
export interface GroupFacts {
  visibility: Visibility
  /** The caller's effective level, inherited from ancestors too; 0 for none. */
  level: number
  /** True when the caller can read some project inside, which makes the group itself readable. */
  holdsReadableProject: boolean
}

/** Catalogue: permissions, Table, Group. */
export const groupRules = {
  read_group: { from: 10, visitors: 'anyone' },
  read_group_members: { from: 10, visitors: 'signed_in' },
  update_group: { from: 50 },
  delete_group: { from: 50 },
  create_subgroup: { from: 50, insidersOnly: true },
  create_projects: { from: 30, insidersOnly: true },
  admin_group_members: { from: 50 },
  read_group_labels: { from: 10, visitors: 'anyone' },
  subscribe_to_group_labels: { from: 10, visitors: 'signed_in' },
  admin_group_labels: { from: 20 },
  promote_group_labels: { from: 40 },
  read_group_issues: { from: 10, visitors: 'anyone' },
  read_group_milestones: { from: 10, visitors: 'anyone' },
  admin_group_milestones: { from: 30 },
  read_group_boards: { from: 10, visitors: 'anyone' },
  admin_group_boards: { from: 20 },
  follow_group: { from: 10, visitors: 'signed_in' },
  read_epics: { from: 10, visitors: 'anyone' },
  comment_on_epics: { from: 10, visitors: 'signed_in' },
  admin_epics: { from: 20 },
  delete_epics: { from: 50 },
  moderate_epic_notes: { from: 50 },
  set_epic_note_dates: { from: 50 },
} as const satisfies Record<string, AccessRule>

export type GroupAbility = keyof typeof groupRules

/** What a readable project inside gives: its issues and labels are the group's, too. */
const throughProjects: ReadonlySet<GroupAbility> = new Set([
  'read_group',
  'read_group_issues',
  'read_group_labels',
  'read_group_milestones',
  'read_group_boards',
] as const)

/** Whether the caller may do `ability` to the group; reading it at all is `read_group`. */
export function decideOnGroup(
  ability: GroupAbility,
  caller: CallerFacts,
  group: GroupFacts,
): Decision {
  if (group.holdsReadableProject && throughProjects.has(ability)) return { allowed: true }
  return { allowed: passes(groupRules[ability], caller, group.level, group.visibility) }
}
