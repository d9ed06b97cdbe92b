import type { AttributeChange } from '../../platform/changes/attribute-change.ts'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'group.created': { userId: number; groupId: number }
    /** Settings changed that say who may see or do what, or names. */
    'group.updated': { groupId: number; changes: readonly AttributeChange[] }
    /** The path changed, and those of all below with it. */
    'group.renamed': { groupId: number; oldPath: string; oldFullPath: string }
    /** Recorded just before the groups are hidden from everyone, which takes their paths. */
    'group.deleted': { groupIds: readonly number[] }
  }
}
