import type { EpicState } from '@stithy/core'
import type { Generated } from 'kysely'
import type { ItemCountColumns } from './issues.ts'

export interface EpicsTable extends ItemCountColumns {
  id: Generated<number>
  groupId: number
  /** Counts from 1 in each group. */
  iid: number
  authorId: number
  title: string
  description: string | null
  state: Generated<EpicState>
  closedById: number | null
  closedAt: number | null
  createdAt: number
  updatedAt: number
}
