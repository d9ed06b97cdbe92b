import {
  humanDuration,
  type LabelDetails,
  type MergeRequest,
  type Milestone,
  type SimpleMergeRequest,
  type TimeStats,
  type UserRef,
} from '@stithy/core'
import type { MergeRequestRow } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'
import { timestampOrNull, timestampText } from '../../platform/http/timestamp.ts'
import { webUrl } from '../../platform/http/urls.ts'

/** A merge request with its users, labels and milestone. */
export interface MergeRequestView {
  row: MergeRequestRow
  author: UserRef
  /** In their order. */
  assignees: readonly UserRef[]
  mergedBy: UserRef | null
  closedBy: UserRef | null
  /** By title. */
  labels: readonly LabelDetails[]
  milestone: Milestone | null
  /** Whether members of the target may push to the source branch. */
  collaborating: boolean
  /** Whether the caller is. */
  subscribed: boolean
}

export interface MergeRequestOptions {
  /** Whether labels are objects rather than names. */
  withLabelsDetails?: boolean | undefined
  /** What descriptions are cut to, in characters. */
  maxDescriptionLength?: number | undefined
}

/** Presents merge requests of a list. */
export function presentMergeRequests(
  config: Config,
  views: readonly MergeRequestView[],
  options: MergeRequestOptions = {},
): MergeRequest[] {
  return views.map((view) => presentMergeRequest(config, view, options))
}

function presentMergeRequest(
  config: Config,
  view: MergeRequestView,
  { withLabelsDetails }: MergeRequestOptions,
): MergeRequest {
  const { row, author, assignees, labels } = view
  return {
    ...presentState(view),
    ...presentBranches(view),
    id: row.id,
    iid: row.iid,
    project_id: row.projectId,
    title: row.title,
    description: row.description,
    created_at: timestampText(row.createdAt),
    updated_at: timestampText(row.updatedAt),
    author,
    assignee: assignees[0] ?? null,
    assignees: [...assignees],
    work_in_progress: row.workInProgress === 1,
    discussion_locked: row.discussionLocked === null ? null : row.discussionLocked === 1,
    reference: `!${row.iid}`,
    web_url: webUrl(config, mergeRequestPath(row)),
    time_stats: presentTime(row),
    task_completion_status: { count: row.taskCount, completed_count: row.taskDoneCount },
    user_notes_count: row.userNotesCount,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    labels: withLabelsDetails ? [...labels] : labels.map(({ name }) => name),
    milestone: view.milestone,
    subscribed: view.subscribed,
  }
}

/** The path of the merge request's web page, relative to the external URL. */
export function mergeRequestPath({
  projectFullPath,
  iid,
}: Pick<MergeRequestRow, 'projectFullPath' | 'iid'>): string {
  return `${projectFullPath}/merge_requests/${iid}`
}

/** Presents merge requests of a list with `view=simple`. */
export function presentSimpleMergeRequests(
  config: Config,
  rows: readonly MergeRequestRow[],
): SimpleMergeRequest[] {
  return rows.map((row) => ({
    id: row.id,
    iid: row.iid,
    project_id: row.projectId,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: timestampText(row.createdAt),
    updated_at: timestampText(row.updatedAt),
    web_url: webUrl(config, mergeRequestPath(row)),
  }))
}

function presentState({ row, mergedBy, closedBy }: MergeRequestView) {
  return {
    state: row.state,
    merged_by: mergedBy,
    merged_at: timestampOrNull(row.mergedAt),
    closed_by: closedBy,
    closed_at: timestampOrNull(row.closedAt),
    merge_when_pipeline_succeeds: row.mergeWhenPipelineSucceeds === 1,
    merge_status: row.mergeStatus,
    merge_commit_sha: row.mergeCommitSha,
    squash: row.squash === 1,
  }
}

function presentBranches({ row, collaborating }: MergeRequestView) {
  const remove = row.shouldRemoveSourceBranch
  return {
    target_branch: row.targetBranch,
    source_branch: row.sourceBranch,
    source_project_id: row.sourceProjectId,
    target_project_id: row.projectId,
    sha: row.headSha,
    should_remove_source_branch: remove === null ? null : remove === 1,
    force_remove_source_branch: row.forceRemoveSourceBranch === 1,
    allow_collaboration: collaborating,
    allow_maintainer_to_push: collaborating,
  }
}

function presentTime({ timeEstimate, totalTimeSpent }: MergeRequestRow): TimeStats {
  return {
    time_estimate: timeEstimate,
    total_time_spent: totalTimeSpent,
    human_time_estimate: humanDuration(timeEstimate),
    human_total_time_spent: humanDuration(totalTimeSpent),
  }
}
