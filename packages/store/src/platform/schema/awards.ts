import type { AwardableType } from '@stithy/core'
import type { Generated } from 'kysely'

/** Award emoji: unique per user, name and target. */
export interface AwardsTable {
  id: Generated<number>
  targetType: AwardableType
  targetId: number
  /** Null outside projects. */
  projectId: number | null
  userId: number
  /** Without colons. */
  name: string
  createdAt: number
  updatedAt: number
}
