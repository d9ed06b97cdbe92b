import type { MemberSource } from '@stithy/store'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** The user asks to become a member of the project or group. */
    'access.requested': {
      source: MemberSource
      /** The users who decide about it. */
      deciderIds: readonly number[]
    }
    /** No request for the project or group is pending any more. */
    'access.settled': { source: MemberSource }
  }
}
