import { type BurndownEvent, burndown, type Issue, type Milestone } from '@stithy/core'
import {
  listBurndownIssues,
  listBurndownStateChanges,
  listMilestoneIssues,
  type MilestoneRow,
  type Page,
  type PageRequest,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import { timestampText } from '../../platform/http/timestamp.ts'
import { viewIssues } from '../issues/issue-views.service.ts'

function contentsQuery(app: App, caller: Caller, { id }: Pick<Milestone, 'id'>) {
  return { milestoneId: id, caller: caller.facts, today: dayOf(app.now()) }
}

/** Lists the issues of a milestone that the caller may see, ordered by label priority. */
export async function issuesOfMilestone(
  app: App,
  caller: Caller,
  milestone: MilestoneRow,
  page: PageRequest,
): Promise<Page<Issue>> {
  const found = await listMilestoneIssues(app.db, contentsQuery(app, caller, milestone), page)
  return { ...found, items: await viewIssues(app, caller, found.items, { brief: true }) }
}

const day = 24 * 60 * 60_000

/**
 * The burndown events of the issues of a milestone that the caller may see, up to its due date or
 * now; none unless it has both dates. Two queries, which read all issues of the milestone.
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
  const contents = contentsQuery(app, caller, milestone)
  const issues = await listBurndownIssues(app.db, contents, until)
  const ids = issues.map((issue) => issue.id)
  const turns = ids.length === 0 ? [] : await listBurndownStateChanges(app.db, ids, until)
  const byIssue = Map.groupBy(turns, (turn) => turn.issueId)
  const points = burndown(
    issues.map(({ id, ...issue }) => ({ ...issue, turns: byIssue.get(id) ?? [] })),
    until,
  )
  const start = (request.page - 1) * request.perPage
  const items = points.slice(start, start + request.perPage).map((point) => ({
    created_at: timestampText(point.createdAt),
    weight: point.weight,
    action: point.action,
  }))
  return { ...request, items, total: points.length }
}
