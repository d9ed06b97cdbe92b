import type { Issue, IssueFilter } from '@stithy/core'
import { listIssues, type Page, type PageRequest, type WorkItemPlace } from '@stithy/store'
import type { App } from '../../app.ts'
import type { Caller } from '../../http/call.ts'
import { dayOf } from '../../members/day.ts'
import { viewIssues } from '../issue-views.service.ts'
import { issueFilter } from './issue-filter.ts'

/** A page of the issues of a place that the caller may see. */
export async function pageOfIssues(
  app: App,
  caller: Caller,
  place: WorkItemPlace,
  query: IssueFilter,
  page: PageRequest,
): Promise<Page<Issue>> {
  const filter = issueFilter(app, caller, query)
  const { order_by: orderBy = 'created_at', sort = 'desc' } = query
  const today = dayOf(app.now())
  const request = { place, filter, caller: caller.facts, today, orderBy, sort }
  const rows = await listIssues(app.db, request, page)
  const options = { withLabelsDetails: query.with_labels_details }
  return { ...rows, items: await viewIssues(app, caller, rows.items, options) }
}
