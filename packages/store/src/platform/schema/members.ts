import type { Generated } from 'kysely'

/** Direct memberships; inherited ones follow from `namespaceAncestors`. */
export interface MembersTable {
  id: Generated<number>
  userId: number
  sourceKind: 'group' | 'project'
  sourceId: number
  accessLevel: number
  /** The last day of the membership. */
  expiresOn: string | null
  notificationLevel: Generated<number>
  createdAt: number
  createdById: number | null
}

/** Users who ask to become members; not yet members. */
export interface AccessRequestsTable {
  id: Generated<number>
  userId: number
  sourceKind: 'group' | 'project'
  sourceId: number
  createdAt: number
}

/** A group whose members get at most `groupAccess` in the shared group and all below it. */
export interface GroupGroupLinksTable {
  id: Generated<number>
  sharedGroupId: number
  sharedWithGroupId: number
  groupAccess: number
  /** The last day of the share. */
  expiresOn: string | null
  createdAt: number
}

/** A project shared with a group, whose members get at most `groupAccess` in it. */
export interface ProjectGroupLinksTable {
  id: Generated<number>
  projectId: number
  groupId: number
  groupAccess: number
  /** The last day of the share. */
  expiresOn: string | null
  createdAt: number
}
