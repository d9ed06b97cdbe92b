import type { IssueState } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** What work items keep of what belongs to them, so that a list counts nothing. */
export interface KeptCountColumns {
  /** Comments; what the program remarked is not counted. */
  userNotesCount: Generated<number>
  upvotes: Generated<number>
  downvotes: Generated<number>
  /** Tasks in the description. */
  taskCount: Generated<number>
  taskDoneCount: Generated<number>
  labelCount: Generated<number>
  assigneeCount: Generated<number>
}

export interface IssuesTable extends KeptCountColumns {
  id: Generated<number>
  projectId: number
  /** Counts from 1 in each project. */
  iid: number
  authorId: number
  title: string
  description: string | null
  state: Generated<IssueState>
  confidential: Generated<Flag>
  /** Null until somebody locks or unlocks it. */
  discussionLocked: Flag | null
  milestoneId: number | null
  dueDate: string | null
  weight: number | null
  /** Seconds. */
  timeEstimate: Generated<number>
  totalTimeSpent: Generated<number>
  /** Open merge requests that close the issue when they are merged. */
  mergeRequestsCount: Generated<number>
  closedById: number | null
  closedAt: number | null
  /** What it was moved to; such an issue cannot be moved again. */
  movedToId: number | null
  duplicatedToId: number | null
  createdAt: number
  updatedAt: number
}

export interface IssueAssigneesTable {
  issueId: number
  userId: number
  /** In which order they were named; the first is the one that old clients see. */
  position: number
  /** Of the issue, so that the issues of a person are read in their order. */
  createdAt: number
}

/** Relations between two issues; neither end is the first. */
export interface IssueLinksTable {
  id: Generated<number>
  sourceId: number
  targetId: number
  createdAt: number
}

/** Which open merge request closes which issue. */
export interface MergeRequestClosingsTable {
  mergeRequestId: number
  issueId: number
}

/** The log of time spent; `totalTimeSpent` of the item is its sum. */
export interface TimeLogsTable {
  id: Generated<number>
  projectId: number
  targetType: 'issue' | 'merge_request'
  targetId: number
  userId: number
  /** Below zero where time was taken back. */
  seconds: number
  /** `YYYY-MM-DD` */
  spentOn: string
  createdAt: number
}
