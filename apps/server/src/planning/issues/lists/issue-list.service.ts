import type { Issue, IssueFilter } from '@stithy/core'
import { listIssues, type Page, type PageRequest, type WorkItemListScope } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import { dayOf } from '../../../platform/calendar/day.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { viewIssues } from '../issue-views.service.ts'
import { issueFilter } from './issue-filter.ts'

/** Lists a page of the issues in a scope that the caller may see. */
export async function loadIssuesPage(
  app: App,
  caller: Caller,
  scope: WorkItemListScope,
  query: IssueFilter,
  page: PageRequest,
): Promise<Page<Issue>> {
  const filter = issueFilter(app, caller, query)
  const { order_by: orderBy = 'created_at', sort = 'desc' } = query
  const today = dayOf(app.now())
  const request = { scope, filter, caller: caller.facts, today, orderBy, sort }
  const rows = await listIssues(app.db, request, page)
  const options = { withLabelsDetails: query.with_labels_details }
  return { ...rows, items: await viewIssues(app, caller, rows.items, options) }
}
