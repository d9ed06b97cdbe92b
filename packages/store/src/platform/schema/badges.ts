import type { Generated } from 'kysely'

/** Badges of a project or of a group; exactly one of the two is set. */
export interface BadgesTable {
  id: Generated<number>
  projectId: number | null
  groupId: number | null
  linkUrl: string
  imageUrl: string
  createdAt: number
  updatedAt: number
}
