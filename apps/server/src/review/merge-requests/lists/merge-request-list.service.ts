import type { MergeRequest, MergeRequestFilter, SimpleMergeRequest } from '@stithy/core'
import {
  listMergeRequests,
  type MergeRequestRow,
  type Page,
  type PageRequest,
  type WorkItemListScope,
} from '@stithy/store'
import { itemRequest } from '../../../planning/items/lists/item-request.ts'
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
  if (query.view !== 'simple') return loadFullMergeRequestsPage(app, caller, scope, query, page)
  // Needs no query, and no `merge_status`, which may take trial merges.
  const rows = await readPage(app, caller, scope, query, page)
  return { ...rows, items: presentSimpleMergeRequests(app.config, rows.items) }
}

/** `loadMergeRequestsPage` in the full view, whatever `view` says. */
export async function loadFullMergeRequestsPage(
  app: App,
  caller: Caller,
  scope: WorkItemListScope,
  query: MergeRequestFilter,
  page: PageRequest,
): Promise<Page<MergeRequest>> {
  const rows = await readPage(app, caller, scope, query, page)
  const options = { withLabelsDetails: query.with_labels_details }
  return { ...rows, items: await viewMergeRequests(app, caller, rows.items, options) }
}

function readPage(
  app: App,
  caller: Caller,
  scope: WorkItemListScope,
  query: MergeRequestFilter,
  page: PageRequest,
): Promise<Page<MergeRequestRow>> {
  const filter = mergeRequestFilter(caller, query)
  return listMergeRequests(app.db, itemRequest(app, caller, { scope, filter }, query), page)
}
