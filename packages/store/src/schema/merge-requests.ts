import type { MergeRequestState, MergeStatus } from '@stithy/core'
import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'
import type { KeptCountColumns } from './issues.ts'

/** Requests to merge one branch into another, of the same project or of one that it was forked into. */
export interface MergeRequestsTable extends KeptCountColumns {
  id: Generated<number>
  /** The project that the request is in: the target. */
  projectId: number
  /** Counts from 1 in each project. */
  iid: number
  targetBranch: string
  /** Null once the fork is gone. */
  sourceProjectId: number | null
  sourceBranch: string
  authorId: number
  title: string
  description: string | null
  /** What the title says, kept for the filter. */
  workInProgress: Generated<Flag>
  state: Generated<MergeRequestState>
  mergeStatus: Generated<MergeStatus>
  mergeError: string | null
  /** Of the newest version, as the three that follow. */
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
  /** Who asked for a merge as soon as the pipeline succeeds. */
  mergeUserId: number | null
  mergeWhenPipelineSucceeds: Generated<Flag>
  squash: Generated<Flag>
  /** What was asked for when it was accepted; null before. */
  shouldRemoveSourceBranch: Flag | null
  forceRemoveSourceBranch: Generated<Flag>
  allowCollaboration: Generated<Flag>
  discussionLocked: Flag | null
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
  /** In which order they were named; the first is the one that old clients see. */
  position: number
  /** Of the request, so that the requests of a person are read in their order. */
  createdAt: Generated<number>
}

/** What a merge request was after each move of its branches. */
export interface MergeRequestVersionsTable {
  id: Generated<number>
  mergeRequestId: number
  headSha: string
  baseSha: string | null
  startSha: string
  commitCount: number
  /** Digest of the commits, in their order. */
  commitsDigest: string
  /** The version under which the commits stand: an earlier one where they are the same. */
  commitsVersionId: Generated<number>
  createdAt: number
}

/** The commits that a version brings to the target branch. */
export interface MergeRequestCommitsTable {
  versionId: number
  /** 0 is the newest. */
  position: number
  mergeRequestId: number
  /** Of the target. */
  projectId: number
  sha: string
}
