import {
  decideOnGroup,
  type GroupAbility,
  type GroupFacts,
} from '../../directory/groups/group-policy.ts'
import type { CallerFacts } from '../../platform/access/caller.ts'
import type { Decision, Refusal } from '../../platform/access/rule.ts'
import type { SubjectPolicy } from '../../platform/access/subject-policy.ts'

interface EpicRule {
  /** What the caller must be able to do to the group before the epic is looked up. */
  group: GroupAbility
  /** Another ability on the group that the caller must have. */
  needs?: GroupAbility
  /** How callers are refused who lack it, by default with 403. */
  refusal?: Refusal
}

/** Rules for epics, which depend on the group alone. */
export const epicRules = {
  read_epic: { group: 'read_epics' },
  update_epic: { group: 'read_epics', needs: 'admin_epics' },
  delete_epic: { group: 'delete_epics' },
  comment_on_epic: { group: 'read_epics', needs: 'comment_on_epics' },
  award_epic: {
    group: 'read_epics',
    needs: 'comment_on_epics',
    refusal: { code: 'not_found', message: 'Award Emoji' },
  },
  add_epic_todo: { group: 'comment_on_epics' },
} as const satisfies Record<string, EpicRule>

export type EpicAbility = keyof typeof epicRules

export function decideOnEpic(
  ability: EpicAbility,
  caller: CallerFacts,
  group: GroupFacts,
): Decision {
  const rule: EpicRule = epicRules[ability]
  const entry = decideOnGroup(rule.group, caller, group)
  if (!entry.allowed || rule.needs === undefined) return entry
  const decision = decideOnGroup(rule.needs, caller, group)
  if (decision.allowed || rule.refusal === undefined) return decision
  return { allowed: false, refusal: rule.refusal }
}

export const epicPolicy: SubjectPolicy<EpicAbility, { group: GroupFacts }> = {
  title: 'Epic',
  rules: epicRules,
  parent: 'group',
  onParent: (ability) => [epicRules[ability].group],
  decide: (ability, caller, { group }) => decideOnEpic(ability, caller, group),
}
