import type { ProjectFacts } from '../../directory/projects/project-policy.ts'
import { decideOnProject, type ProjectAbility } from '../../directory/projects/project-policy.ts'
import type { CallerFacts } from '../../platform/access/caller.ts'
import { absent, allowed, type Decision, type Refusal } from '../../platform/access/rule.ts'

/** Who may do one action on an item of a project, as data. */
export interface ItemRule {
  /** What the caller must be able to do to the project before the item is looked up. */
  project: ProjectAbility
  /** Another ability on the project that is required, except for users in `or`. */
  needs?: ProjectAbility
  /** Users who may as well, if they have the ability `own` of the project. */
  or?: readonly ('author' | 'assignee')[]
  own?: ProjectAbility
  /** True when a locked discussion restricts it to members of the project. */
  lockable?: true
  /**
   * How callers are refused who may read the item, by default with 403. Archived projects return
   * 403.
   */
  refusal?: Refusal
  /** How callers are refused who may not read it, by default as if it did not exist. */
  hidden?: 'forbidden'
}

/** What a rule depends on. */
export interface ItemRuleFacts {
  project: ProjectFacts
  /** Whether the caller may read the item. */
  readable: boolean
  /** Whether the caller is its author, or one of its assignees. */
  author: boolean
  assignee: boolean
  locked: boolean
}

/** Decides by the rule of one ability. */
export function decideByItemRule(
  rule: ItemRule,
  caller: CallerFacts,
  { project, readable, locked, ...people }: ItemRuleFacts,
): Decision {
  const entry = decideOnProject(rule.project, caller, project)
  if (!entry.allowed) return entry
  if (!readable) return rule.hidden === 'forbidden' ? { allowed: false } : absent
  if (rule.lockable && locked && project.level < 10 && !caller.admin) return { allowed: false }
  if (rule.own !== undefined && rule.or?.some((name) => people[name])) {
    if (decideOnProject(rule.own, caller, project).allowed) return allowed
  }
  return rule.needs === undefined ? allowed : decideWithRefusal(rule, rule.needs, caller, project)
}

/**
 * Decides on the project; the rule's own refusal applies unless the project's decision has a reason
 * or refusal.
 */
export function decideWithRefusal(
  { refusal }: Pick<ItemRule, 'refusal'>,
  ability: ProjectAbility,
  caller: CallerFacts,
  project: ProjectFacts,
): Decision {
  const decision = decideOnProject(ability, caller, project)
  if (decision.allowed || refusal === undefined) return decision
  // An archived project states its own reason, and a hidden one remains hidden.
  if (decision.reason !== undefined || decision.refusal !== undefined) return decision
  return { allowed: false, refusal }
}
