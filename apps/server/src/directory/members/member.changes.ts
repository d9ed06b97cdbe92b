/** The start or the end of a membership. */
interface MembershipChange {
  memberId: number
  /** Projects whose activity shows it; empty for a group's membership. */
  projectIds: readonly number[]
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'member.joined': MembershipChange
    /** The member left or was removed. */
    'member.left': MembershipChange
    /** The membership's last day has passed. */
    'member.expired': MembershipChange
  }
}
