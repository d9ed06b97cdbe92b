import type { Generated } from 'kysely'

/** Protected branches and tags, by name or wildcard. */
export interface ProtectedRefsTable {
  id: Generated<number>
  projectId: number
  kind: 'branch' | 'tag'
  /** `*` matches any run of characters. */
  name: string
  createdAt: number
}

/**
 * An access entry of a protected ref: who may perform one action, by a level, a user or a group.
 */
export interface ProtectedRefLevelsTable {
  id: Generated<number>
  protectedRefId: number
  action: 'push' | 'merge' | 'unprotect' | 'create'
  /** Exactly one of the three is set. */
  accessLevel: number | null
  userId: number | null
  groupId: number | null
}
