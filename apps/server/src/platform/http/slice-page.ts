import type { Page, PageRequest } from '@stithy/store'

/** Takes one page of a list that is in memory already. */
export function slicePage<T>(items: readonly T[], { page, perPage }: PageRequest): Page<T> {
  const start = (page - 1) * perPage
  return { items: items.slice(start, start + perPage), total: items.length, page, perPage }
}
