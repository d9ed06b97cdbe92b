import type { IssueState } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

/** Stored counters of work items, so that lists count nothing. */
export interface ItemCountColumns {
  /** Comments; system notes are not counted. */
  userNotesCount: Generated<number>
  upvotes: Generated<number>
  downvotes: Generated<number>
  /** Tasks in the description. */
  taskCount: Generated<number>
  taskDoneCount: Generated<number>
  labelCount: Generated<number>
  assigneeCount: Generated<number>
}

export interface IssuesTable extends ItemCountColumns {
  id: Generated<number>
  projectId: number
  /** Counts from 1 in each project. */
  iid: number
  authorId: number
  title: string
  description: string | null
  state: Generated<IssueState>
  confidential: Generated<Flag>
  /** Null until a user locks or unlocks it. */
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
  /** Who changed one of its fields last; the state does not count. */
  updatedById: number | null
  /** When the title or description was changed last. */
  lastEditedAt: number | null
  lastEditedById: number | null
  /** The issue it was moved to; such an issue can't be moved again. */
  movedToId: number | null
  duplicatedToId: number | null
  /** The epic that was made of it; such an issue can't be promoted again. */
  promotedToEpicId: number | null
  /** Its place in the order of the project that users change by hand. */
  relativePosition: Generated<number>
  createdAt: number
  updatedAt: number
}

export interface IssueAssigneesTable {
  issueId: number
  userId: number
  /** The order in which they were assigned; the first is the one in the legacy `assignee` field. */
  position: number
  /** Of the issue, so that a user's issues are read in order. */
  createdAt: number
}

/** Relations between two issues, without a direction. */
export interface IssueLinksTable {
  id: Generated<number>
  sourceId: number
  targetId: number
  createdAt: number
}

/** Which open merge requests close which issues. */
export interface MergeRequestClosingsTable {
  mergeRequestId: number
  issueId: number
}

/** Logged time; `totalTimeSpent` of the item is the sum. */
export interface TimeLogsTable {
  id: Generated<number>
  projectId: number
  targetType: 'issue' | 'merge_request'
  targetId: number
  userId: number
  /** Negative for subtracted time. */
  seconds: number
  /** `YYYY-MM-DD` */
  spentOn: string
  createdAt: number
}
