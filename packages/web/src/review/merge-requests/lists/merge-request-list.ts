import type { Page } from '@stithy/client'
import type { MergeRequest, SimpleMergeRequest } from '@stithy/core'
import { card, emptyState } from '../../../platform/design/card.ts'
import { rows } from '../../../platform/design/lists.ts'
import { pagination } from '../../../platform/design/navigation.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { filters, isFiltered, stateTabs } from './merge-request-filters.ts'
import { mergeRequestRow } from './merge-request-row.ts'

interface List {
  /** Path of the page. */
  path: string
  requests: Page<MergeRequest | SimpleMergeRequest>
  /** Whether it spans projects. */
  isWide: boolean
  /** What to do where there are none. */
  hint: string
  action?: Html | undefined
}

/** A list of merge requests with its filters. */
export function mergeRequestList(
  { query, now }: Pick<PageCall, 'query' | 'now'>,
  { path, requests, isWide, hint, action }: List,
): Html {
  const items = requests.items.filter(isWhole)
  const list =
    items.length === 0
      ? emptyState(
          isFiltered(query)
            ? {
                title: 'No merge request matches',
                text: 'Take some of the filters away.',
                action: html`<a href="${path}">Show all that are open</a>`,
              }
            : { title: 'No merge requests here', text: hint, action },
        )
      : rows(items.map((request) => mergeRequestRow(request, { now, isWide, path })))
  return html`${stateTabs(path, query)}
${filters(path, query)}
${card({ body: list, isFlush: true })}
${pagination(requests, path, query)}`
}

function isWhole(request: MergeRequest | SimpleMergeRequest): request is MergeRequest {
  return 'author' in request
}
