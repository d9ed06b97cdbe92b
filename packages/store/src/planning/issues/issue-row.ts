import { type ListedDescription, listedColumns } from '../../platform/queries/listed-text.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** An issue with the full path of its project. */
export interface IssueRow extends Row<'issues'>, ListedDescription {
  projectFullPath: string
}

/** Columns of an issue in its own table. */
export const issueTableColumns = [
  'issues.id',
  'issues.projectId',
  'issues.iid',
  'issues.authorId',
  'issues.title',
  'issues.description',
  'issues.state',
  'issues.confidential',
  'issues.discussionLocked',
  'issues.milestoneId',
  'issues.dueDate',
  'issues.weight',
  'issues.timeEstimate',
  'issues.totalTimeSpent',
  'issues.mergeRequestsCount',
  'issues.userNotesCount',
  'issues.upvotes',
  'issues.downvotes',
  'issues.taskCount',
  'issues.taskDoneCount',
  'issues.labelCount',
  'issues.assigneeCount',
  'issues.closedById',
  'issues.closedAt',
  'issues.updatedById',
  'issues.lastEditedAt',
  'issues.lastEditedById',
  'issues.movedToId',
  'issues.duplicatedToId',
  'issues.promotedToEpicId',
  'issues.relativePosition',
  'issues.createdAt',
  'issues.updatedAt',
] as const

/** Columns of an `IssueRow`, of `issues` and its `projects`. */
export const issueColumns = [...issueTableColumns, 'projects.fullPath as projectFullPath'] as const

/** The same in lists. */
export const listedIssueColumns = listedColumns('issues', issueColumns)
