import { type CallerFacts, isInternalUser } from './caller.ts'
import type { Decision } from './rule.ts'
import type { SubjectPolicy } from './subject-policy.ts'

interface InstanceRule {
  /** Who may besides administrators: every signed-in user, or users who are not external. */
  for?: 'users' | 'internalUsers'
  /** What must be true of the user as well. */
  needs?: keyof InstanceFacts
}

/** Rules for the whole instance and the caller's own account. */
export const instanceRules = {
  administer: {},
  create_group: { for: 'internalUsers', needs: 'canCreateGroup' },
  /** Depends on `parent_id`: `create_group`, or `create_subgroup` of the parent. */
  create_group_or_subgroup: { for: 'internalUsers' },
  /** Depends on `namespace_id`: the caller's own namespace, or `create_projects` of a group. */
  create_project: { for: 'users' },
  create_personal_snippet: { for: 'internalUsers' },
  update_own_settings: { for: 'users' },
  finish_own_todos: { for: 'users' },
} as const satisfies Record<string, InstanceRule>

export type InstanceAbility = keyof typeof instanceRules

/** Facts about the calling user besides those of every caller. */
export interface InstanceFacts {
  canCreateGroup: boolean
}

export function decideOnInstance(
  ability: InstanceAbility,
  caller: CallerFacts,
  facts: InstanceFacts,
): Decision {
  const rule: InstanceRule = instanceRules[ability]
  if (caller.admin) return { allowed: true }
  if (rule.for === undefined || caller.userId === null) return { allowed: false }
  if (rule.needs !== undefined && !facts[rule.needs]) return { allowed: false }
  return { allowed: rule.for === 'users' || isInternalUser(caller) }
}

export const instancePolicy: SubjectPolicy<InstanceAbility, InstanceFacts> = {
  title: 'Instance',
  rules: instanceRules,
  decide: decideOnInstance,
}
