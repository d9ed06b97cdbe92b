import {
  type BurndownEvent,
  type BurndownInput,
  burndown,
  type Issue,
  type ItemsQuery,
  type Milestone,
} from '@stithy/core'
import {
  type BurndownRow,
  listBurndown,
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
  { max_description_length: maxDescriptionLength }: ItemsQuery,
  page: PageRequest,
): Promise<Page<Issue>> {
  const found = await listMilestoneIssues(app.db, contentsQuery(app, caller, milestone), page)
  const options = { brief: true, maxDescriptionLength }
  return { ...found, items: await viewIssues(app, caller, found.items, options) }
}

const day = 24 * 60 * 60_000

/**
 * The burndown events of the issues of a milestone that the caller may see, up to its due date or
 * now; none unless it has both dates. One query, which reads all issues of the milestone.
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
  const points = burndown(inputsOf(await listBurndown(app.db, contents, until)), until)
  const start = (request.page - 1) * request.perPage
  const items = points.slice(start, start + request.perPage).map((point) => ({
    created_at: timestampText(point.createdAt),
    weight: point.weight,
    action: point.action,
  }))
  return { ...request, items, total: points.length }
}

/** Issues with their changes of state, each of which is a row. */
function inputsOf(rows: readonly BurndownRow[]): BurndownInput[] {
  const inputs = new Map<number, BurndownInput & { turns: BurndownInput['turns'][number][] }>()
  for (const { id, action, changedAt, ...issue } of rows) {
    const input = inputs.get(id) ?? { ...issue, turns: [] }
    inputs.set(id, input)
    if (action !== null && changedAt !== null) input.turns.push({ action, createdAt: changedAt })
  }
  return [...inputs.values()]
}
