import { type CallerFacts, isInsider, isOpenTo } from './caller.ts'
import type { Visibility } from './level.ts'

/**
 * One line of the permission table (catalogue: permissions, Table), as data.
 * An action is allowed to members from `from` on, and to visitors as `visitors` says.
 */
export interface AccessRule<Feature extends string = never> {
  /** The lowest access level that may. */
  from: number
  /** Who else may, where the thing is visible to them: columns P and U of the table. */
  visitors?: 'anyone' | 'signed_in'
  /** The feature that must be switched on for the caller. */
  feature?: Feature
  /** True where external users may not, whatever their level is. */
  insidersOnly?: boolean
  /** True where the action changes something that an archived project keeps frozen. */
  changes?: boolean
}

export interface Decision {
  allowed: boolean
  /** Why not, where that may be said. */
  reason?: string
}

/** Rules 1 to 4 of the table: administrators always, members by level, visitors by visibility. */
export function passes(
  rule: Pick<AccessRule, 'from' | 'visitors' | 'insidersOnly'>,
  caller: CallerFacts,
  level: number,
  visibility: Visibility,
): boolean {
  if (caller.admin) return true
  if (rule.insidersOnly && caller.external) return false
  if (level >= rule.from) return true
  if (rule.visitors === undefined || !isOpenTo(caller, visibility)) return false
  return rule.visitors === 'anyone' || isInsider(caller)
}
