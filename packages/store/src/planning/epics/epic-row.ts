import { type ListedDescription, listedColumns } from '../../platform/queries/listed-text.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** An epic with the full path of its group. */
export interface EpicRow extends Row<'epics'>, ListedDescription {
  groupFullPath: string
}

/** Columns of an epic in its own table. */
export const epicTableColumns = [
  'epics.id',
  'epics.groupId',
  'epics.iid',
  'epics.authorId',
  'epics.title',
  'epics.description',
  'epics.state',
  'epics.closedById',
  'epics.closedAt',
  'epics.parentId',
  'epics.relativePosition',
  'epics.startDateIsFixed',
  'epics.startDateFixed',
  'epics.startDateFromMilestones',
  'epics.dueDateIsFixed',
  'epics.dueDateFixed',
  'epics.dueDateFromMilestones',
  'epics.userNotesCount',
  'epics.upvotes',
  'epics.downvotes',
  'epics.taskCount',
  'epics.taskDoneCount',
  'epics.labelCount',
  'epics.assigneeCount',
  'epics.createdAt',
  'epics.updatedAt',
] as const

/** Columns of an `EpicRow`, of `epics` and its `namespaces`. */
export const epicColumns = [...epicTableColumns, 'namespaces.fullPath as groupFullPath'] as const

/** The same in lists. */
export const listedEpicColumns = listedColumns('epics', epicColumns)
