import type { IssueStatistics, IssueStatisticsFilter } from '@stithy/core'
import { countIssues, type WorkItemListScope } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { dayOf } from '../../../platform/calendar/day.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { issueFilter } from './issue-filter.ts'

/** Counts the issues in a scope that the caller may see, by state. */
export async function issueStatistics(
  app: App,
  caller: Caller,
  scope: WorkItemListScope,
  query: IssueStatisticsFilter,
): Promise<IssueStatistics> {
  const filter = issueFilter(app, caller, query)
  const order = { orderBy: 'created_at', sort: 'desc' } as const
  const request = { scope, caller: caller.facts, today: dayOf(app.now()), ...order }
  const count = (state: 'opened' | 'closed') =>
    countIssues(app.db, { ...request, filter: { ...filter, state } })
  const [opened, closed] = [await count('opened'), await count('closed')]
  return { statistics: { counts: { all: opened + closed, closed, opened } } }
}
