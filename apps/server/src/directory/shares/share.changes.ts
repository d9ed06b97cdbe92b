import type { MemberSource } from '@stithy/store'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** A project or group was shared with a group. */
    'share.created': { source: MemberSource; groupId: number; accessLevel: number }
    'share.deleted': { source: MemberSource; groupId: number }
  }
}
