import type { IssueStatistics, IssueStatisticsFilter } from '@stithy/core'
import { countIssues, type WorkItemPlace } from '@stithy/store'
import type { App } from '../../app.ts'
import type { Caller } from '../../http/call.ts'
import { dayOf } from '../../members/day.ts'
import { issueFilter } from './issue-filter.ts'

/** How many issues of a place the caller may see, in each state (catalogue: issues, 2.6). */
export async function issueStatistics(
  app: App,
  caller: Caller,
  place: WorkItemPlace,
  query: IssueStatisticsFilter,
): Promise<IssueStatistics> {
  const filter = issueFilter(app, caller, query)
  const order = { orderBy: 'created_at', sort: 'desc' } as const
  const request = { place, caller: caller.facts, today: dayOf(app.now()), ...order }
  const count = (state: 'opened' | 'closed') =>
    countIssues(app.db, { ...request, filter: { ...filter, state } })
  const [opened, closed] = [await count('opened'), await count('closed')]
  return { statistics: { counts: { all: opened + closed, closed, opened } } }
}
