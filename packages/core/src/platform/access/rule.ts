import { DomainError, type ErrorCode, forbidden, notFound } from '../errors.ts'
import { type CallerFacts, isInternalUser, isOpenTo } from './caller.ts'
import type { Visibility } from './level.ts'

/**
 * A rule of a policy, as data. An action is allowed to members from the level `from` on, and to
 * others by `nonMembers`.
 */
export interface AccessRule<Feature extends string = never> {
  /** The lowest access level that may. */
  from: number
  /** Non-members who may, where the resource is visible to them. */
  nonMembers?: 'anyone' | 'signed_in'
  /** The feature that must be available to the caller. */
  feature?: Feature
  /** True when external users may not, whatever their level. */
  exceptExternal?: boolean
  /** True when members may not, nor administrators who are members. */
  exceptMembers?: boolean
  /** True when the action changes something, which archived projects reject. */
  changes?: boolean
}

export interface Decision {
  allowed: boolean
  /** The reason, if it may be disclosed. */
  reason?: string
  /** How the call is refused, if not with a plain 403. */
  refusal?: Refusal
}

/**
 * `absent`: as if the subject did not exist (404); or the code and the message of another error.
 */
export type Refusal = 'absent' | { code: ErrorCode; message?: string }

export const allowed: Decision = { allowed: true }

/** The decision for a subject that is hidden from the caller. */
export const absent: Decision = { allowed: false, refusal: 'absent' }

/** Administrators always pass, members by level, non-members by visibility. */
export function passes(
  rule: Pick<AccessRule, 'from' | 'nonMembers' | 'exceptExternal' | 'exceptMembers'>,
  caller: CallerFacts,
  level: number,
  visibility: Visibility,
): boolean {
  if (rule.exceptMembers && level > 0) return false
  if (caller.admin) return true
  if (rule.exceptExternal && caller.external) return false
  if (level >= rule.from) return true
  if (rule.nonMembers === undefined || !isOpenTo(caller, visibility)) return false
  return rule.nonMembers === 'anyone' || isInternalUser(caller)
}

/**
 * The error for a negative decision.
 * @param title of the subject, where it may be absent for the caller
 */
export function refusalError(
  { reason, refusal }: Decision,
  caller: CallerFacts,
  title?: string,
): DomainError {
  if (refusal === 'absent' && title !== undefined) return notFound(title)
  if (refusal !== undefined && refusal !== 'absent') {
    const { code, message } = refusal
    return new DomainError(code, message === undefined ? {} : { message })
  }
  return caller.userId === null ? new DomainError('unauthorized') : forbidden(reason)
}
