import { type CallerFacts, isInsider } from './caller.ts'
import type { Decision } from './rule.ts'

/** Abilities that concern the whole instance (catalogue: permissions, Users and Instance). */
export const instanceAbilities = [
  'administer',
  'create_group',
  'create_personal_project',
  'create_personal_snippet',
] as const
export type InstanceAbility = (typeof instanceAbilities)[number]

/** Facts about the calling user beyond those of every caller. */
export interface InstanceFacts {
  canCreateGroup: boolean
}

export function decideOnInstance(
  ability: InstanceAbility,
  caller: CallerFacts,
  facts: InstanceFacts,
): Decision {
  if (caller.admin) return { allowed: true }
  if (ability === 'administer') return { allowed: false }
  if (ability === 'create_group') return { allowed: isInsider(caller) && facts.canCreateGroup }
  return { allowed: isInsider(caller) }
}
