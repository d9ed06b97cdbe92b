import type { CallerFacts } from '../../platform/access/caller.ts'
import { allowed, type Decision } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'
import { decideOnAwarding, type NoteScope } from '../notes/note-scope.ts'

/** What the policy needs of an award emoji. */
export interface AwardFacts {
  /** The project or group of what it was given to. */
  scope: NoteScope
  /** The user who gave it. */
  userId: number
}

/** Rules for award emoji on an item that the caller may read. */
export const awardRules = {
  read_award: {},
  /** v4 clients expect a 401 for another user's award emoji. */
  remove_award: { by: 'owner', refusal: { code: 'unauthorized' } },
} as const

export type AwardAbility = keyof typeof awardRules

export function decideOnAward(
  ability: AwardAbility,
  caller: CallerFacts,
  { scope, userId }: AwardFacts,
): Decision {
  if (ability === 'read_award') return allowed
  const decision = decideOnAwarding(caller, scope)
  if (!decision.allowed || caller.admin || userId === caller.userId) return decision
  return { allowed: false, refusal: awardRules.remove_award.refusal }
}

export const awardPolicy: SubjectPolicy<AwardAbility, AwardFacts> = {
  title: 'Award Emoji',
  rules: awardRules,
  onParent: (_, parent) => [`read_${parent}`],
  decide: decideOnAward,
}
