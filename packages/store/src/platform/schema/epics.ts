import type { EpicState } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'
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
  /** The epic it is a child of, in this group or in one above it. */
  parentId: number | null
  /** The order among the children of its parent; without one it means nothing. */
  relativePosition: number | null
  /** Whether the start date is `startDateFixed` rather than `startDateFromMilestones`. */
  startDateIsFixed: Generated<Flag>
  /** `YYYY-MM-DD`, like all dates here. Kept while it is not used. */
  startDateFixed: string | null
  /** The earliest start of the milestones of its issues. */
  startDateFromMilestones: string | null
  dueDateIsFixed: Generated<Flag>
  dueDateFixed: string | null
  /** The latest due date of the milestones of its issues. */
  dueDateFromMilestones: string | null
  createdAt: number
  updatedAt: number
}

/** The issues of epics; an issue is in one at most. */
export interface EpicIssuesTable {
  id: Generated<number>
  epicId: number
  issueId: number
  /** That of the issue; a trigger keeps it. */
  milestoneId: number | null
  /** The order among the issues of the epic. */
  relativePosition: number
  createdAt: number
}
