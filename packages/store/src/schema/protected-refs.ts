import type { Generated } from 'kysely'

/** Branches and tags that not everybody may change, by their name or a wildcard. */
export interface ProtectedRefsTable {
  id: Generated<number>
  projectId: number
  kind: 'branch' | 'tag'
  /** `*` in it stands for any run of characters. */
  name: string
  createdAt: number
}

/** Who may do one thing to a protected ref: everybody from a level on, a user, or a group. */
export interface ProtectedRefLevelsTable {
  id: Generated<number>
  protectedRefId: number
  action: 'push' | 'merge' | 'unprotect' | 'create'
  /** Exactly one of the three is not null. */
  accessLevel: number | null
  userId: number | null
  groupId: number | null
}
