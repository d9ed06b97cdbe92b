import type { Page } from '@stithy/store'
import type { Keyset } from './keyset.ts'

/**
 * Headers of one page of a list; without totals where its items are not counted. In lower case, as
 * they are sent: to convert ten names takes a microsecond of each request.
 */
export function pageHeaders(page: Page<unknown>, url: string): Record<string, string> {
  if (page.hasMore !== undefined) return uncountedHeaders(page, url)
  const totalPages = Math.max(1, Math.ceil(page.total / page.perPage))
  const next = page.page < totalPages ? String(page.page + 1) : ''
  const previous = page.page > 1 ? String(Math.min(page.page - 1, totalPages)) : ''
  return {
    'x-page': String(page.page),
    'x-per-page': String(page.perPage),
    'x-next-page': next,
    'x-prev-page': previous,
    'x-total': String(page.total),
    'x-total-pages': String(totalPages),
    link: links(url, page.perPage, { prev: previous, next, first: '1', last: String(totalPages) }),
  }
}

function uncountedHeaders(
  { page, perPage, hasMore }: Page<unknown>,
  url: string,
): Record<string, string> {
  const next = hasMore ? String(page + 1) : ''
  const previous = page > 1 ? String(page - 1) : ''
  return {
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-next-page': next,
    'x-prev-page': previous,
    link: links(url, perPage, { prev: previous, next, first: '1' }),
  }
}

/**
 * Headers of a page of keyset pagination: the next one starts after its last item. There are no
 * page numbers, and no total, since the preceding items are not counted.
 */
export function keysetHeaders(
  page: Page<unknown>,
  keyset: Keyset,
  url: string,
): Record<string, string> {
  const headers: Record<string, string> = { 'x-per-page': String(page.perPage) }
  const last = page.items.at(-1) as { id: number } | undefined
  if (last === undefined || page.total <= page.items.length) return headers
  const [path = '', query = ''] = url.split('?')
  const remaining = remainingQuery(query, /^(?:page|per_page|id_after|id_before)$/)
  const next = `${path}?${remaining}per_page=${page.perPage}&${keyset.cursor}=${last.id}`
  return { ...headers, link: `<${next}>; rel="next"` }
}

function links(url: string, perPage: number, pages: Record<string, string>): string {
  const split = url.indexOf('?')
  const path = split === -1 ? url : url.slice(0, split)
  const remaining = split === -1 ? '' : remainingQuery(url.slice(split + 1), /^(?:page|per_page)$/)
  return Object.entries(pages)
    .filter(([, page]) => page !== '')
    .map(([rel, page]) => `<${path}?${remaining}page=${page}&per_page=${perPage}>; rel="${rel}"`)
    .join(', ')
}

const secrets = /^(?:private_token|access_token)$/

/** The query as sent, without the parameters that links replace and without secrets. */
function remainingQuery(query: string, replaced: RegExp): string {
  const remaining = query.split('&').filter((pair) => {
    const [name = ''] = pair.split('=')
    return name !== '' && !replaced.test(name) && !secrets.test(name)
  })
  return remaining.length === 0 ? '' : `${remaining.map(escapeForHeader).join('&')}&`
}

/** Escapes characters that would end the link or the header. */
function escapeForHeader(pair: string): string {
  return pair.replace(/[^\x21-\x7e]|[<>"]/g, (char) => encodeURIComponent(char))
}
