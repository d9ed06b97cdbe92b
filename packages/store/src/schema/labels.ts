import type { IssueState, LabelledType, MergeRequestState } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** Labels of a project or of a group; one of the two is named. */
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
  /** Of the target, so that what has a label is read in its order. */
  createdAt: number
}

/** Labels that were given and taken; they outlive the label. */
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

/** How many issues and merge requests of a project have a label; triggers keep it. */
export interface LabelTotalsTable {
  labelId: number
  projectId: number
  targetType: 'issue' | 'merge_request'
  /** Of the things that are counted, as the following. */
  state: IssueState | MergeRequestState
  confidential: Flag
  total: number
}
