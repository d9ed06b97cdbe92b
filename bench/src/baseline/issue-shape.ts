import type { IssueRow } from './issue-sql.ts'
import { iso, isoOrNull, itemFields, type RelatedRows } from './item-shape.ts'

/** An issue as lists show it. */
export function issueShape(row: IssueRow, related: RelatedRows): Record<string, unknown> {
  const { base } = related
  const { person, assignees, labels, milestone, locked, time, tasks, subscribed } = itemFields(
    row,
    related,
  )
  const project = `${base}/api/v4/projects/${row.projectId}`
  const self = `${project}/issues/${row.iid}`
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.projectId,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
    closed_at: isoOrNull(row.closedAt),
    closed_by: person(row.closedById),
    labels,
    milestone,
    assignees,
    author: person(row.authorId),
    assignee: assignees[0] ?? null,
    user_notes_count: row.userNotesCount,
    merge_requests_count: row.mergeRequestsCount,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    due_date: row.dueDate,
    confidential: row.confidential === 1,
    discussion_locked: locked,
    web_url: `${base}/${row.fullPath}/issues/${row.iid}`,
    time_stats: time,
    task_completion_status: tasks,
    weight: row.weight,
    has_tasks: row.taskCount > 0,
    _links: { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project },
    subscribed,
  }
}

/** An issue as search results show it. */
export function foundIssueShape(row: IssueRow, related: RelatedRows): Record<string, unknown> {
  const {
    closed_by: _closedBy,
    merge_requests_count: _count,
    task_completion_status: _completion,
    has_tasks: _hasTasks,
    _links,
    subscribed: _subscribed,
    ...found
  } = issueShape(row, related)
  return found
}
