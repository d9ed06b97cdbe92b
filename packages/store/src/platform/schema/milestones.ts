import type { MilestoneState } from '@stithy/core'
import type { Generated } from 'kysely'

/** Milestones of a project or of a group; exactly one of the two is set. */
export interface MilestonesTable {
  id: Generated<number>
  projectId: number | null
  groupId: number | null
  /** Counts from 1 in each project and in each group. */
  iid: number
  title: string
  description: string | null
  state: Generated<MilestoneState>
  startDate: string | null
  dueDate: string | null
  createdAt: number
  updatedAt: number
}
