import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** Groups, and the personal namespace of each user. */
export interface NamespacesTable {
  id: Generated<number>
  kind: 'user' | 'group'
  name: string
  nameLower: string
  path: string
  pathLower: string
  fullPath: string
  fullPathLower: string
  fullName: string
  parentId: number | null
  /** The user of a personal namespace; null for groups. */
  ownerId: number | null
  visibility: 'private' | 'internal' | 'public'
  description: Generated<string>
  lfsEnabled: Generated<Flag>
  requestAccessEnabled: Generated<Flag>
  membershipLock: Generated<Flag>
  shareWithGroupLock: Generated<Flag>
  /** Of the members of the group, the groups above and those below. */
  requireTwoFactorAuthentication: Generated<Flag>
  /** Hours. */
  twoFactorGracePeriod: Generated<number>
  avatar: string | null
  fileTemplateProjectId: number | null
  sharedRunnersMinutesLimit: number | null
  extraSharedRunnersMinutesLimit: number | null
  createdAt: number
  updatedAt: number
  /** Set while the background deletion is running. */
  deletedAt: number | null
}

/** The closure of `parentId`: one row per namespace and ancestor, itself included. */
export interface NamespaceAncestorsTable {
  descendantId: number
  ancestorId: number
  /** 0 for the namespace itself, 1 for its parent. */
  distance: number
}
