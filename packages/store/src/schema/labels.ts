import type { LabelledType } from '@stithy/core'
import type { Generated } from 'kysely'

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
