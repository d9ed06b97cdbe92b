import {
  type BurndownEvent,
  burndown,
  type Issue,
  type MergeRequest,
  type Milestone,
} from '@stithy/core'
import {
  listBurndownIssues,
  listBurndownTurns,
  listMilestoneIssues,
  listMilestoneMergeRequests,
  type MilestoneRow,
  type Page,
  type PageRequest,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { instantText } from '../http/instant.ts'
import { viewIssues } from '../issues/issue-views.service.ts'
import { dayOf } from '../members/day.ts'
import { viewMergeRequests } from '../merge-requests/merge-request-views.service.ts'

function contentsFor(app: App, caller: Caller, { id }: Pick<Milestone, 'id'>) {
  return { milestoneId: id, caller: caller.facts, today: dayOf(app.now()) }
}

/** The issues of a milestone that the caller may see, by the priority of their labels. */
export async function issuesOfMilestone(
  app: App,
  caller: Caller,
  milestone: MilestoneRow,
  page: PageRequest,
): Promise<Page<Issue>> {
  const found = await listMilestoneIssues(app.db, contentsFor(app, caller, milestone), page)
  return { ...found, items: await viewIssues(app, caller, found.items, { brief: true }) }
}

/** The merge requests of a milestone that the caller may see, the newest first. */
export async function mergeRequestsOfMilestone(
  app: App,
  caller: Caller,
  milestone: MilestoneRow,
  page: PageRequest,
): Promise<Page<MergeRequest>> {
  const found = await listMilestoneMergeRequests(app.db, contentsFor(app, caller, milestone), page)
  return { ...found, items: await viewMergeRequests(app, found.items) }
}

const day = 24 * 60 * 60_000

/**
 * How the issues of a milestone that the caller may see came and went up to its due date, or to now; nothing without
 * both dates (catalogue: planning, 1). Two queries, which read all issues of the milestone.
 */
export async function burndownOfMilestone(
  app: App,
  caller: Caller,
  milestone: MilestoneRow,
  request: PageRequest,
): Promise<Page<BurndownEvent>> {
  const { startDate, dueDate } = milestone
  if (startDate === null || dueDate === null) return { ...request, items: [], total: 0 }
  const until = Math.min(Date.parse(`${dueDate}T00:00:00Z`) + day, app.now() + 1)
  const contents = contentsFor(app, caller, milestone)
  const issues = await listBurndownIssues(app.db, contents, until)
  const ids = issues.map((issue) => issue.id)
  const turns = ids.length === 0 ? [] : await listBurndownTurns(app.db, ids, until)
  const byIssue = Map.groupBy(turns, (turn) => turn.issueId)
  const points = burndown(
    issues.map(({ id, ...issue }) => ({ ...issue, turns: byIssue.get(id) ?? [] })),
    until,
  )
  const start = (request.page - 1) * request.perPage
  const items = points.slice(start, start + request.perPage).map((point) => ({
    created_at: instantText(point.createdAt),
    weight: point.weight,
    action: point.action,
  }))
  return { ...request, items, total: points.length }
}
