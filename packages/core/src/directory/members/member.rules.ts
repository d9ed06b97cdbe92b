import { AccessLevel } from '../../platform/access/level.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import type { UserState } from '../users/user.schema.ts'

const levelNames: Readonly<Record<number, string>> = {
  10: 'Guest',
  20: 'Reporter',
  30: 'Developer',
  40: 'Maintainer',
  50: 'Owner',
}

/** `levelName(40)` is `Maintainer`. */
export function levelName(level: number): string {
  return levelNames[level] ?? String(level)
}

/** A membership that a user inherits from an ancestor group. */
export interface InheritedMembership {
  accessLevel: number
  groupName: string
}

/** Errors for a direct membership with a lower level than an inherited one. */
export function inheritedLevelErrors(
  level: number,
  inherited: InheritedMembership | undefined,
): FieldErrors | undefined {
  if (inherited === undefined || level >= inherited.accessLevel) return undefined
  const text =
    `should be greater than or equal to ${levelName(inherited.accessLevel)} ` +
    `inherited membership from group ${inherited.groupName}`
  return { access_level: [text] }
}

/**
 * Errors for a membership that would end before today; `today` and `expiresOn` are `YYYY-MM-DD`.
 */
export function expiryErrors(
  expiresOn: string | null | undefined,
  today: string,
): FieldErrors | undefined {
  if (expiresOn === null || expiresOn === undefined || expiresOn >= today) return undefined
  return { expires_at: ['cannot be a date in the past'] }
}

/** Level of a membership and its last day, `YYYY-MM-DD`, or null for no end. */
export interface MembershipTerms {
  accessLevel: number
  expiresOn: string | null
}

/** A direct member of a group, with the state of the account. */
export interface GroupMembership extends MembershipTerms {
  userId: number
  state: UserState
}

/**
 * Whether `userId` is the last owner of a group, whose membership can neither be removed nor
 * lowered. Only owners count whose account is active and whose membership does not expire, since
 * nobody would check later that another owner remains.
 */
export function isLastOwner(members: readonly GroupMembership[], userId: number): boolean {
  const owners = members.filter((member) => member.accessLevel >= AccessLevel.owner)
  if (owners.every((owner) => owner.userId !== userId)) return false
  return !owners.some(
    (owner) => owner.userId !== userId && owner.state === 'active' && owner.expiresOn === null,
  )
}

/** Whether a change removes the owner level, or makes it expire earlier. */
export function endsOwnership(before: MembershipTerms, after: MembershipTerms): boolean {
  if (before.accessLevel < AccessLevel.owner) return false
  if (after.accessLevel < AccessLevel.owner) return true
  if (after.expiresOn === null) return false
  return before.expiresOn === null || after.expiresOn < before.expiresOn
}
