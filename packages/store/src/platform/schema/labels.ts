import type { IssueState, LabelledType, MergeRequestState } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** Labels of a project or of a group; exactly one of the two is set. */
export interface LabelsTable {
  id: Generated<number>
  projectId: number | null
  groupId: number | null
  title: string
  /** `#rrggbb` */
  color: string
  description: string | null
  createdAt: number
  updatedAt: number
}

/** The priority that a label has in a project. */
export interface LabelPrioritiesTable {
  projectId: number
  labelId: number
  priority: number
}

export interface LabelLinksTable {
  targetType: LabelledType
  targetId: number
  labelId: number
  /** Of the target; null for epics. */
  projectId: number | null
  /** Of the target, so that the items with a label are read in order. */
  createdAt: number
}

/** Labels that were added and removed; the events outlive the label. */
export interface LabelEventsTable {
  id: Generated<number>
  targetType: LabelledType
  targetId: number
  /** Of the target; null for epics. */
  projectId: number | null
  labelId: number | null
  userId: number
  action: 'add' | 'remove'
  createdAt: number
}

/** The number of issues and merge requests of a project with a label; maintained by triggers. */
export interface LabelTotalsTable {
  labelId: number
  projectId: number
  targetType: 'issue' | 'merge_request'
  /** Of the counted items, as are the next columns. */
  state: IssueState | MergeRequestState
  confidential: Flag
  total: number
}
