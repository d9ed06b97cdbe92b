import type { IssueRow } from './issue-sql.ts'

interface Person {
  id: number
  name: string
  username: string
  state: string
}

interface Label {
  id: number
  title: string
  color: string
  description: string | null
}

interface Milestone {
  id: number
  iid: number
  projectId: number
  title: string
  description: string | null
  state: string
  createdAt: number
  updatedAt: number
  dueDate: string | null
  startDate: string | null
  fullPath: string
}

/** The related rows of the issues of a page, by id. */
export interface RelatedRows {
  people: ReadonlyMap<number, Person>
  assignees: ReadonlyMap<number, readonly number[]>
  labels: ReadonlyMap<number, readonly Label[]>
  milestones: ReadonlyMap<number, Milestone>
  /** The issues that the caller is subscribed to. */
  subscribed: ReadonlySet<number>
  /** Whether labels are shown with details. */
  details: boolean
  base: string
}

const iso = (timestamp: number) => new Date(timestamp).toISOString()

/** An issue as lists show it. */
export function issueShape(row: IssueRow, related: RelatedRows): Record<string, unknown> {
  const { base, people, labels, milestones } = related
  const person = (id: number | null) => {
    const found = id === null ? undefined : people.get(id)
    return found === undefined ? null : personShape(found, base)
  }
  const assignees = (related.assignees.get(row.id) ?? []).map(person)
  const milestone = row.milestoneId === null ? undefined : milestones.get(row.milestoneId)
  const own = labels.get(row.id) ?? []
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
    closed_at: row.closedAt === null ? null : iso(row.closedAt),
    closed_by: person(row.closedById),
    labels: related.details ? own.map(labelShape) : own.map((label) => label.title),
    milestone: milestone === undefined ? null : milestoneShape(milestone, base),
    assignees,
    author: person(row.authorId),
    assignee: assignees[0] ?? null,
    user_notes_count: row.userNotesCount,
    merge_requests_count: row.mergeRequestsCount,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    due_date: row.dueDate,
    confidential: row.confidential === 1,
    discussion_locked: row.discussionLocked === null ? null : row.discussionLocked === 1,
    web_url: `${base}/${row.fullPath}/issues/${row.iid}`,
    time_stats: timeShape(row),
    task_completion_status: { count: row.taskCount, completed_count: row.taskDoneCount },
    weight: row.weight,
    has_tasks: row.taskCount > 0,
    _links: { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project },
    subscribed: related.subscribed.has(row.id),
  }
}

function personShape({ id, name, username, state }: Person, base: string) {
  return { id, name, username, state, avatar_url: null, web_url: `${base}/${username}` }
}

function labelShape({ id, title, color, description }: Label) {
  return { id, name: title, color, description, text_color: textColor(color) }
}

/** Dark on light colors, white on others. */
function textColor(color: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return (red ?? 0) + (green ?? 0) + (blue ?? 0) > 500 ? '#333333' : '#FFFFFF'
}

function milestoneShape(milestone: Milestone, base: string) {
  return {
    id: milestone.id,
    iid: milestone.iid,
    project_id: milestone.projectId,
    title: milestone.title,
    description: milestone.description,
    state: milestone.state,
    created_at: iso(milestone.createdAt),
    updated_at: iso(milestone.updatedAt),
    due_date: milestone.dueDate,
    start_date: milestone.startDate,
    web_url: `${base}/${milestone.fullPath}/milestones/${milestone.iid}`,
  }
}

function timeShape({ timeEstimate, totalTimeSpent }: IssueRow) {
  return {
    time_estimate: timeEstimate,
    total_time_spent: totalTimeSpent,
    human_time_estimate: duration(timeEstimate),
    human_total_time_spent: duration(totalTimeSpent),
  }
}

const units = [
  ['mo', 576_000],
  ['w', 144_000],
  ['d', 28_800],
  ['h', 3600],
  ['m', 60],
] as const

function duration(seconds: number): string | null {
  let rest = seconds
  let text = ''
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) text += `${text === '' ? '' : ' '}${count}${unit}`
  }
  return text === '' ? null : text
}

export type { Label, Milestone, Person }
