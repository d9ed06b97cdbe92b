import type { MergeRequestState, MergeStatus, VersionState } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'
import type { ItemCountColumns } from './issues.ts'

/**
 * Requests to merge one branch into another, of the same project or of the one it was forked from.
 */
export interface MergeRequestsTable extends ItemCountColumns {
  id: Generated<number>
  /** The target project. */
  projectId: number
  /** Counts from 1 in each project. */
  iid: number
  targetBranch: string
  /** Null once the fork is deleted. */
  sourceProjectId: number | null
  sourceBranch: string
  authorId: number
  title: string
  description: string | null
  /** Derived from the title, stored for the filter. */
  workInProgress: Generated<Flag>
  state: Generated<MergeRequestState>
  mergeStatus: Generated<MergeStatus>
  mergeError: string | null
  /** Of the newest version, as are the next three columns. */
  latestVersionId: Generated<number>
  headSha: string
  /** The merge base; null where the branches share no history. */
  baseSha: string | null
  /** The target branch at that version. */
  startSha: string
  mergeCommitSha: string | null
  mergedById: number | null
  mergedAt: number | null
  closedById: number | null
  closedAt: number | null
  /** Who changed one of its fields last; the state and the branches do not count. */
  updatedById: number | null
  /** When the title or description was changed last. */
  lastEditedAt: number | null
  lastEditedById: number | null
  /** The user who requested to merge when the pipeline succeeds. */
  mergeUserId: number | null
  mergeWhenPipelineSucceeds: Generated<Flag>
  /** The options of a merge that waits for a pipeline, in JSON. */
  mergeParams: string | null
  /** While it is locked: the merge in progress, in JSON. */
  pendingMerge: string | null
  squash: Generated<Flag>
  /** The option with which it was accepted; null before. */
  shouldRemoveSourceBranch: Flag | null
  forceRemoveSourceBranch: Generated<Flag>
  allowCollaboration: Generated<Flag>
  discussionLocked: Flag | null
  /** Set while the source branch is being rebased. */
  rebaseStartedAt: number | null
  /** The new head that this rebase made of the reviewed one. */
  rebasedSha: string | null
  /** How many approvals it needs, if it asks for more than its project. */
  approvalsBeforeMerge: number | null
  milestoneId: number | null
  /** Seconds. */
  timeEstimate: Generated<number>
  totalTimeSpent: Generated<number>
  createdAt: number
  updatedAt: number
}

export interface MergeRequestAssigneesTable {
  mergeRequestId: number
  userId: number
  /** The order in which they were assigned; the first is the one in the legacy `assignee` field. */
  position: number
  /** Of the merge request, so that a user's merge requests are read in order. */
  createdAt: Generated<number>
}

/** The state of a merge request after each change of its branches. */
export interface MergeRequestVersionsTable {
  id: Generated<number>
  mergeRequestId: number
  headSha: string
  baseSha: string | null
  startSha: string
  commitCount: number
  /** Digest of the commits, in order. */
  commitsDigest: string
  /** The version that stores the commits: an earlier one if they are the same. */
  commitsVersionId: Generated<number>
  /** The number of files that differ between the base and the head. */
  fileCount: number
  state: VersionState
  createdAt: number
}

/** The commits that a version adds to the target branch. */
export interface MergeRequestCommitsTable {
  versionId: number
  /** 0 is the newest. */
  position: number
  mergeRequestId: number
  /** Of the target. */
  projectId: number
  sha: string
}
