import { setTimeout as delay } from 'node:timers/promises'
import { exactLimit } from './count-cache.ts'
import { type Page, type PageRequest, uncountedPage } from './page.ts'

/** A list whose pages are read without knowing its length. */
export interface FoundList<R> {
  page: PageRequest
  /** Milliseconds that a page waits for the total, from when its rows are there. */
  totalMs: number
  read: (rows: { limit: number; offset: number }) => Promise<R[]>
  /** Counts the rows; may stop above `exactLimit`. Not called where the page tells the total. */
  count: () => Promise<number>
}

/**
 * Reads a page, and then its total, which is left out above 10,000 rows, and if it takes longer to
 * count than the page may wait: counting goes on, for the next page if the count is cached.
 */
export async function foundPage<R>({ page, totalMs, read, count }: FoundList<R>): Promise<Page<R>> {
  const offset = (page.page - 1) * page.perPage
  const rows = await read({ limit: page.perPage + 1, offset })
  const { hasMore, ...found } = uncountedPage(rows, page)
  if (!hasMore && (rows.length > 0 || offset === 0)) return found
  const total = await waitFor(count(), totalMs)
  if (total !== undefined && total <= exactLimit) return { ...found, total }
  return { ...found, hasMore }
}

/** The result, or undefined if it takes longer. */
async function waitFor<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const waiting = new AbortController()
  const late = delay(ms, undefined, { signal: waiting.signal }).catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    waiting.abort()
    // Nobody waits for it any more.
    work.catch(() => undefined)
  }
}
