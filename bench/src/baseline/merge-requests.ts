import { iso, isoOrNull, itemFields, type RelatedRows } from './item-shape.ts'
import type { ItemKind } from './items.ts'
import { type MergeRequestRow, mergeRequestSql, mergeRequestTable } from './merge-request-sql.ts'

/** Lists of merge requests whose merge status is known. */
export const mergeRequestKind: ItemKind<MergeRequestRow> = {
  path: 'merge_requests',
  table: mergeRequestTable,
  sql: mergeRequestSql,
  shape: mergeRequestShape,
  people: ({ mergedById }) => [mergedById],
}

/** A merge request as lists show it. */
function mergeRequestShape(row: MergeRequestRow, related: RelatedRows): Record<string, unknown> {
  const { base } = related
  const { person, assignees, labels, milestone, locked, time, tasks, subscribed } = itemFields(
    row,
    related,
  )
  return {
    ...stateShape(row, person),
    ...branchShape(row),
    id: row.id,
    iid: row.iid,
    project_id: row.projectId,
    title: row.title,
    description: row.description,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
    author: person(row.authorId),
    assignee: assignees[0] ?? null,
    assignees,
    work_in_progress: row.workInProgress === 1,
    discussion_locked: locked,
    reference: `!${row.iid}`,
    web_url: `${base}/${row.fullPath}/merge_requests/${row.iid}`,
    time_stats: time,
    task_completion_status: tasks,
    user_notes_count: row.userNotesCount,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    labels,
    milestone,
    subscribed,
  }
}

function stateShape(row: MergeRequestRow, person: ReturnType<typeof itemFields>['person']) {
  return {
    state: row.state,
    merged_by: person(row.mergedById),
    merged_at: isoOrNull(row.mergedAt),
    closed_by: person(row.closedById),
    closed_at: isoOrNull(row.closedAt),
    merge_when_pipeline_succeeds: row.mergeWhenPipelineSucceeds === 1,
    merge_status: row.mergeStatus,
    merge_commit_sha: row.mergeCommitSha,
    squash: row.squash === 1,
  }
}

function branchShape(row: MergeRequestRow) {
  const collaboration = row.sourceProjectId !== row.projectId && row.allowCollaboration === 1
  const remove = row.shouldRemoveSourceBranch
  return {
    target_branch: row.targetBranch,
    source_branch: row.sourceBranch,
    source_project_id: row.sourceProjectId,
    target_project_id: row.projectId,
    sha: row.headSha,
    should_remove_source_branch: remove === null ? null : remove === 1,
    force_remove_source_branch: row.forceRemoveSourceBranch === 1,
    allow_collaboration: collaboration,
    allow_maintainer_to_push: collaboration,
  }
}
