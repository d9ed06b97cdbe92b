import type { Issue, LabelDetails, Milestone, UserRef } from '@stithy/core'
import type { IssueRow } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'
import { timestampOrNull, timestampText } from '../../platform/http/timestamp.ts'
import { apiUrl, webUrl } from '../../platform/http/urls.ts'
import { presentTime } from '../time-tracking/time-tracking.presenter.ts'

/** An issue with the related data that it shows. */
export interface IssueView {
  row: IssueRow
  author: UserRef
  /** In the order in which they were assigned. */
  assignees: UserRef[]
  closedBy: UserRef | null
  /** Sorted by title. */
  labels: readonly LabelDetails[]
  milestone: Milestone | null
  /** Counts only merge requests that the caller may read. */
  mergeRequestsCount: number
  /** Whether the caller is. */
  subscribed: boolean
}

export interface IssueOptions {
  /** Whether labels are objects rather than names. */
  withLabelsDetails?: boolean | undefined
  /** Whether links and the task status text are left out. */
  brief?: boolean | undefined
  /** Whether the tier has weights. */
  withWeight: boolean
}

export function presentIssues(
  config: Config,
  views: readonly IssueView[],
  options: IssueOptions,
): Issue[] {
  return views.map((view) => presentIssue(config, view, options))
}

/** Assigns fields to one object: spreads made a page of issues slower. */
function presentIssue(config: Config, view: IssueView, options: IssueOptions): Issue {
  const { row, assignees, labels } = view
  const issue: Issue = {
    id: row.id,
    iid: row.iid,
    project_id: row.projectId,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: timestampText(row.createdAt),
    updated_at: timestampText(row.updatedAt),
    closed_at: timestampOrNull(row.closedAt),
    closed_by: view.closedBy,
    labels: options.withLabelsDetails ? [...labels] : labels.map(({ name }) => name),
    milestone: view.milestone,
    assignees,
    author: view.author,
    assignee: assignees[0] ?? null,
    user_notes_count: row.userNotesCount,
    merge_requests_count: view.mergeRequestsCount,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    due_date: row.dueDate,
    confidential: row.confidential === 1,
    discussion_locked: row.discussionLocked === null ? null : row.discussionLocked === 1,
    web_url: webUrl(config, issuePath(row)),
    time_stats: presentTime(row),
    task_completion_status: { count: row.taskCount, completed_count: row.taskDoneCount },
  }
  if (options.withWeight) issue.weight = row.weight
  if (!options.brief) {
    addTasks(issue, row)
    issue._links = presentLinks(config, row)
  }
  issue.subscribed = view.subscribed
  return issue
}

/** The path of the issue's web page, relative to the external URL. */
export function issuePath(row: Pick<IssueRow, 'projectFullPath' | 'iid'>): string {
  return `${row.projectFullPath}/issues/${row.iid}`
}

function addTasks(issue: Issue, { taskCount, taskDoneCount }: IssueRow): void {
  issue.has_tasks = taskCount > 0
  if (taskCount === 0) return
  const noun = taskCount === 1 ? 'task' : 'tasks'
  issue.task_status = `${taskDoneCount} of ${taskCount} ${noun} completed`
}

function presentLinks(config: Config, row: IssueRow): NonNullable<Issue['_links']> {
  const project = apiUrl(config, `projects/${row.projectId}`)
  const self = `${project}/issues/${row.iid}`
  return { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project }
}
