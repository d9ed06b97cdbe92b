import type { MemberSource, MembershipTerms } from '@stithy/store'

/** The start or the end of a membership. */
interface MembershipChange {
  memberId: number
  /** Projects whose activity shows it; empty for a group's membership. */
  projectIds: readonly number[]
  /** The direct memberships that began or ended. */
  memberships: readonly MembershipTerms[]
}

/** A new membership of a project or group. */
interface NewMembership extends MembershipChange {
  source: MemberSource
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'member.joined': NewMembership
    /** The access level or the expiry changed. */
    'member.updated': {
      memberId: number
      membership: MembershipTerms & { expiresOn: string | null }
      previous: { accessLevel: number; expiresOn: string | null }
    }
    /** The member left or was removed. */
    'member.left': MembershipChange
    /** The membership's last day has passed. */
    'member.expired': MembershipChange
  }
}
