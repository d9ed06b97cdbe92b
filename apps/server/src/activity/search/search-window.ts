import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'

/** How much `takePage` takes at most: a page with those before it, and one to see whether there is more. */
export function neededFor({ config }: App, { page, perPage }: PageRequest): number {
  return Math.min(page * perPage, config.codeLimits.search.maxResults) + 1
}

/**
 * Takes one page of what a search finds one by one, and ends the search behind it. What lies behind
 * the limit is not searched: nobody looks there, and each page reads those before it.
 */
export async function takePage<T>(
  { config }: App,
  found: AsyncIterable<T>,
  { page, perPage }: PageRequest,
): Promise<Page<T>> {
  const { maxResults } = config.codeLimits.search
  const start = Math.min((page - 1) * perPage, maxResults)
  const end = Math.min(start + perPage, maxResults)
  const items: T[] = []
  let index = 0
  let hasMore = false
  if (start < end) {
    for await (const item of found) {
      if (index >= end) {
        hasMore = index < maxResults
        break
      }
      if (index >= start) items.push(item)
      index += 1
    }
  }
  return { items, total: index, page, perPage, hasMore }
}
