import { type ListedDescription, listedColumns } from '../../platform/queries/listed-text.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** A merge request with the full path of its project. */
export interface MergeRequestRow extends Row<'mergeRequests'>, ListedDescription {
  projectFullPath: string
}

/** Columns of a `MergeRequestRow`, of `mergeRequests` and its `projects`. */
export const mergeRequestColumns = [
  'mergeRequests.id',
  'mergeRequests.projectId',
  'mergeRequests.iid',
  'mergeRequests.targetBranch',
  'mergeRequests.sourceProjectId',
  'mergeRequests.sourceBranch',
  'mergeRequests.authorId',
  'mergeRequests.title',
  'mergeRequests.description',
  'mergeRequests.workInProgress',
  'mergeRequests.state',
  'mergeRequests.mergeStatus',
  'mergeRequests.mergeError',
  'mergeRequests.latestVersionId',
  'mergeRequests.headSha',
  'mergeRequests.baseSha',
  'mergeRequests.startSha',
  'mergeRequests.mergeCommitSha',
  'mergeRequests.mergedById',
  'mergeRequests.mergedAt',
  'mergeRequests.closedById',
  'mergeRequests.closedAt',
  'mergeRequests.updatedById',
  'mergeRequests.lastEditedAt',
  'mergeRequests.lastEditedById',
  'mergeRequests.mergeUserId',
  'mergeRequests.mergeWhenPipelineSucceeds',
  'mergeRequests.mergeParams',
  'mergeRequests.pendingMerge',
  'mergeRequests.squash',
  'mergeRequests.shouldRemoveSourceBranch',
  'mergeRequests.forceRemoveSourceBranch',
  'mergeRequests.allowCollaboration',
  'mergeRequests.discussionLocked',
  'mergeRequests.rebaseStartedAt',
  'mergeRequests.rebasedSha',
  'mergeRequests.approvalsBeforeMerge',
  'mergeRequests.milestoneId',
  'mergeRequests.userNotesCount',
  'mergeRequests.upvotes',
  'mergeRequests.downvotes',
  'mergeRequests.taskCount',
  'mergeRequests.taskDoneCount',
  'mergeRequests.labelCount',
  'mergeRequests.assigneeCount',
  'mergeRequests.timeEstimate',
  'mergeRequests.totalTimeSpent',
  'mergeRequests.createdAt',
  'mergeRequests.updatedAt',
  'projects.fullPath as projectFullPath',
] as const

/** The same in lists. */
export const listedMergeRequestColumns = listedColumns('mergeRequests', mergeRequestColumns)
