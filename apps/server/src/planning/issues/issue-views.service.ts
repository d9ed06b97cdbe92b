import type { Issue } from '@stithy/core'
import { type IssueRow, listIssueAssignees } from '@stithy/store'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import { tierAllows } from '../../platform/config/config.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { IssueItem } from '../items/item.ts'
import { withDescriptions } from '../items/lists/listed-descriptions.ts'
import { loadLabels } from '../labels/labelling.service.ts'
import { milestonesById } from '../milestones/milestone-views.service.ts'
import { subscribedTo } from '../subscriptions/subscription.service.ts'
import { type IssueView, presentIssues } from './issue.presenter.ts'

export interface IssueViewOptions {
  withLabelsDetails?: boolean | undefined
  /** Whether links and the task status text are left out. */
  brief?: boolean | undefined
  /** What descriptions are cut to, in characters. */
  maxDescriptionLength?: number | undefined
}

type Assigned = ReadonlyMap<number, readonly number[]>

/**
 * A page of issues as lists show them. At most six queries: assignees, labels, milestones, users,
 * what the caller is subscribed to and, for issues that merge requests close, how many of these the
 * caller may read.
 */
export async function viewIssues(
  app: App,
  caller: Caller,
  rows: readonly IssueRow[],
  options: IssueViewOptions = {},
): Promise<Issue[]> {
  if (rows.length === 0) return []
  const described = withDescriptions(app, 'issues', rows, options.maxDescriptionLength)
  return view(app, caller, described, await assigneesOf(app, rows), options)
}

/** A single issue, as lists show it. */
export async function viewIssue(
  app: App,
  caller: Caller,
  item: IssueItem,
  options: IssueViewOptions = {},
): Promise<Issue> {
  const { row, assigneeIds } = item
  const [issue] = await view(app, caller, [row], new Map([[row.id, assigneeIds]]), options)
  if (issue === undefined) throw new TypeError(`Issue ${row.id} has no author`)
  return issue
}

async function view(
  app: App,
  caller: Caller,
  rows: readonly IssueRow[],
  assigned: Assigned,
  options: IssueViewOptions,
): Promise<Issue[]> {
  const premium = tierAllows(app.config.tier, 'premium')
  const assigneeIds = premium ? assigned : keepFirst(assigned)
  const labelled = rows.filter((row) => row.labelCount > 0).map((row) => row.id)
  const labels = labelled.length === 0 ? new Map() : await loadLabels(app, 'issue', labelled)
  const planned = rows.flatMap(({ milestoneId }) => milestoneId ?? [])
  const milestones = await milestonesById(app, planned, options.maxDescriptionLength)
  const closings = await countClosingRequestsByIssue(app, caller, rows)
  const users = await userRefs(app, userIdsOf(rows, assigneeIds))
  const ids = rows.map((row) => row.id)
  const subscribed = await subscribedTo(app, 'issue', ids, caller.facts.userId)
  const find = (id: number | null) => (id === null ? null : (users.get(id) ?? null))
  const views = rows.flatMap((row): IssueView[] => {
    const author = users.get(row.authorId)
    if (author === undefined) return []
    return [
      {
        row,
        author,
        assignees: (assigneeIds.get(row.id) ?? []).map(find).filter((user) => user !== null),
        closedBy: find(row.closedById),
        mergeRequestsCount: closings.get(row.id) ?? 0,
        subscribed: subscribed.has(row.id),
        labels: labels.get(row.id) ?? [],
        milestone: row.milestoneId === null ? null : (milestones.get(row.milestoneId) ?? null),
      },
    ]
  })
  return presentIssues(app.config, views, { ...options, withWeight: premium })
}

/** Visible merge requests by issue; issues whose stored count is 0 are not queried. */
async function countClosingRequestsByIssue(
  app: App,
  caller: Caller,
  rows: readonly IssueRow[],
): Promise<ReadonlyMap<number, number>> {
  const issueIds = rows.filter((row) => row.mergeRequestsCount > 0).map((row) => row.id)
  if (issueIds.length === 0) return new Map()
  return app.mergeRequests.countClosing(app, caller, issueIds)
}

async function assigneesOf(app: App, rows: readonly IssueRow[]): Promise<Assigned> {
  const ids = rows.filter((row) => row.assigneeCount > 0).map((row) => row.id)
  const byIssue = new Map<number, number[]>()
  if (ids.length === 0) return byIssue
  for (const { issueId, userId } of await listIssueAssignees(app.db, ids)) {
    const userIds = byIssue.get(issueId)
    if (userIds === undefined) byIssue.set(issueId, [userId])
    else userIds.push(userId)
  }
  return byIssue
}

/** Keeps the first assignee: lower tiers store several but show one. */
function keepFirst(assigned: Assigned): Assigned {
  return new Map([...assigned].map(([id, userIds]) => [id, userIds.slice(0, 1)]))
}

function userIdsOf(rows: readonly IssueRow[], assigned: Assigned): Set<number> {
  const ids = new Set<number>()
  for (const { id, authorId, closedById } of rows) {
    ids.add(authorId)
    if (closedById !== null) ids.add(closedById)
    for (const userId of assigned.get(id) ?? []) ids.add(userId)
  }
  return ids
}
