import type { MemberSource } from '@stithy/store'

/** The start or the end of a membership. */
interface MembershipChange {
  memberId: number
  /** Projects whose activity shows it; empty for a group's membership. */
  projectIds: readonly number[]
}

/** A new membership of a project or group. */
interface NewMembership extends MembershipChange {
  source: MemberSource
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'member.joined': NewMembership
    /** The member left or was removed. */
    'member.left': MembershipChange
    /** The membership's last day has passed. */
    'member.expired': MembershipChange
  }
}
