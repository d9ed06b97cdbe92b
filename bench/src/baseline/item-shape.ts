/** The columns of an item that its common fields need. */
export interface ItemRow {
  id: number
  projectId: number
  iid: number
  authorId: number
  title: string
  description: string | null
  state: string
  discussionLocked: 0 | 1 | null
  milestoneId: number | null
  timeEstimate: number
  totalTimeSpent: number
  userNotesCount: number
  upvotes: number
  downvotes: number
  taskCount: number
  taskDoneCount: number
  closedById: number | null
  closedAt: number | null
  createdAt: number
  updatedAt: number
  /** Of the project. */
  fullPath: string
}

/** A user as items show it. */
export interface Person {
  id: number
  name: string
  username: string
  state: string
}

export interface Label {
  id: number
  title: string
  color: string
  description: string | null
}

export interface Milestone {
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

/** The related rows of the items of a page, by id. */
export interface RelatedRows {
  people: ReadonlyMap<number, Person>
  assignees: ReadonlyMap<number, readonly number[]>
  labels: ReadonlyMap<number, readonly Label[]>
  milestones: ReadonlyMap<number, Milestone>
  /** The items that the caller is subscribed to. */
  subscribed: ReadonlySet<number>
  /** Whether labels are shown with details. */
  details: boolean
  base: string
}

export const iso = (timestamp: number): string => new Date(timestamp).toISOString()
export const isoOrNull = (timestamp: number | null): string | null =>
  timestamp === null ? null : iso(timestamp)

/** The fields that issues and merge requests have in common, each shaped. */
export function itemFields(row: ItemRow, related: RelatedRows) {
  const { base, people, labels, milestones } = related
  const person = (id: number | null) => {
    const found = id === null ? undefined : people.get(id)
    return found === undefined ? null : personShape(found, base)
  }
  const assignees = (related.assignees.get(row.id) ?? []).map(person)
  const milestone = row.milestoneId === null ? undefined : milestones.get(row.milestoneId)
  const own = labels.get(row.id) ?? []
  return {
    person,
    assignees,
    labels: related.details ? own.map(labelShape) : own.map((label) => label.title),
    milestone: milestone === undefined ? null : milestoneShape(milestone, base),
    locked: row.discussionLocked === null ? null : row.discussionLocked === 1,
    time: timeShape(row),
    tasks: { count: row.taskCount, completed_count: row.taskDoneCount },
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

function timeShape({ timeEstimate, totalTimeSpent }: ItemRow) {
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
