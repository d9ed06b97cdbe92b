import type { MergeRequest, MergeRequestFilter, SimpleMergeRequest } from '@stithy/core'
import {
  listMergeRequests,
  type Page,
  type PageRequest,
  type WorkItemListScope,
} from '@stithy/store'
import { itemRequest } from '../../../planning/items/lists/item-request.ts'
import { withDescriptions } from '../../../planning/items/lists/listed-descriptions.ts'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { presentSimpleMergeRequests } from '../merge-request.presenter.ts'
import { viewMergeRequests } from '../merge-request-views.service.ts'
import { mergeRequestFilter } from './merge-request-filter.ts'

/** Lists a page of the merge requests in a scope that the caller may see. */
export async function loadMergeRequestsPage(
  app: App,
  caller: Caller,
  scope: WorkItemListScope,
  query: MergeRequestFilter,
  page: PageRequest,
): Promise<Page<MergeRequest | SimpleMergeRequest>> {
  const filter = mergeRequestFilter(caller, query)
  const request = itemRequest(app, caller, { scope, filter }, query)
  const rows = await listMergeRequests(app.db, request, page)
  const { max_description_length: maxDescriptionLength } = query
  // Needs no query, and no `merge_status`, which may take trial merges.
  if (query.view === 'simple') {
    const described = withDescriptions(app, 'mergeRequests', rows.items, maxDescriptionLength)
    return { ...rows, items: presentSimpleMergeRequests(app.config, described) }
  }
  const options = { withLabelsDetails: query.with_labels_details, maxDescriptionLength }
  return { ...rows, items: await viewMergeRequests(app, caller, rows.items, options) }
}
