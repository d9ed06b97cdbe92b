import type { Row } from '../../platform/schema/schema.ts'

/** A milestone with the full path of its project or group. */
export interface MilestoneRow extends Row<'milestones'> {
  ownerFullPath: string
}

/** Columns of a milestone without its owner's. */
export const milestoneColumns = [
  'milestones.id',
  'milestones.projectId',
  'milestones.groupId',
  'milestones.iid',
  'milestones.title',
  'milestones.description',
  'milestones.state',
  'milestones.startDate',
  'milestones.dueDate',
  'milestones.createdAt',
  'milestones.updatedAt',
] as const
