import type { Issue, IssueFilter } from '@stithy/core'
import { listIssues, type Page, type PageRequest, type WorkItemListScope } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { itemRequest } from '../../items/lists/item-request.ts'
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
  const request = itemRequest(app, caller, { scope, filter }, query)
  const rows = await listIssues(app.db, request, page)
  const options = {
    withLabelsDetails: query.with_labels_details,
    maxDescriptionLength: query.max_description_length,
  }
  return { ...rows, items: await viewIssues(app, caller, rows.items, options) }
}
