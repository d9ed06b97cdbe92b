import { AccessLevel } from '../access/level.ts'
import type { FieldErrors } from '../errors.ts'
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

/** A membership that a user already has through an ancestor group. */
export interface InheritedMembership {
  accessLevel: number
  groupName: string
}

/** No direct membership lies below an inherited one (catalogue: projects, Members). */
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

/** A new membership ends today at the earliest; `today` and `expiresOn` are `YYYY-MM-DD`. */
export function expiryErrors(
  expiresOn: string | null | undefined,
  today: string,
): FieldErrors | undefined {
  if (expiresOn === null || expiresOn === undefined || expiresOn >= today) return undefined
  return { expires_at: ['cannot be a date in the past'] }
}

/** What counts of a membership: its level, and its last day, `YYYY-MM-DD` or null for none. */
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
 * Whether `userId` owns a group that nobody else would go on owning, so that the membership can neither
 * end nor shrink (catalogue: projects, Last-owner rule). Owners count whose account is active and whose
 * membership has no end: nobody has to look after the others before the group stands alone.
 */
export function isLastOwner(members: readonly GroupMembership[], userId: number): boolean {
  const owners = members.filter((member) => member.accessLevel >= AccessLevel.owner)
  if (owners.every((owner) => owner.userId !== userId)) return false
  return !owners.some(
    (owner) => owner.userId !== userId && owner.state === 'active' && owner.expiresOn === null,
  )
}

/** Whether a change takes ownership from an owner, or ends it on an earlier day than before. */
export function endsOwnership(before: MembershipTerms, after: MembershipTerms): boolean {
  if (before.accessLevel < AccessLevel.owner) return false
  if (after.accessLevel < AccessLevel.owner) return true
  if (after.expiresOn === null) return false
  return before.expiresOn === null || after.expiresOn < before.expiresOn
}
