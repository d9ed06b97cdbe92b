import type { Page } from '@stithy/store'
import type { Keyset } from './keyset.ts'

/** The headers of one page of a list (document 1, Limits; catalogue: Pagination and limits). */
export function pageHeaders(page: Page<unknown>, url: string): Record<string, string> {
  const totalPages = Math.max(1, Math.ceil(page.total / page.perPage))
  const next = page.page < totalPages ? String(page.page + 1) : ''
  const previous = page.page > 1 ? String(Math.min(page.page - 1, totalPages)) : ''
  return {
    'X-Page': String(page.page),
    'X-Per-Page': String(page.perPage),
    'X-Next-Page': next,
    'X-Prev-Page': previous,
    'X-Total': String(page.total),
    'X-Total-Pages': String(totalPages),
    Link: links(url, page.perPage, { prev: previous, next, first: '1', last: String(totalPages) }),
  }
}

/**
 * The headers of a page that was asked for by keyset: the next one begins behind its last item. There
 * are no page numbers, and no total, since what came before is not counted.
 */
export function keysetHeaders(
  page: Page<unknown>,
  keyset: Keyset,
  url: string,
): Record<string, string> {
  const headers: Record<string, string> = { 'X-Per-Page': String(page.perPage) }
  const last = page.items.at(-1) as { id: number } | undefined
  if (last === undefined || page.total <= page.items.length) return headers
  const [path = '', query = ''] = url.split('?')
  const kept = keptQuery(query, /^(?:page|per_page|id_after|id_before)$/)
  const next = `${path}?${kept}per_page=${page.perPage}&${keyset.cursor}=${last.id}`
  return { ...headers, Link: `<${next}>; rel="next"` }
}

function links(url: string, perPage: number, pages: Record<string, string>): string {
  const split = url.indexOf('?')
  const path = split === -1 ? url : url.slice(0, split)
  const kept = split === -1 ? '' : keptQuery(url.slice(split + 1), /^(?:page|per_page)$/)
  return Object.entries(pages)
    .filter(([, page]) => page !== '')
    .map(([rel, page]) => `<${path}?${kept}page=${page}&per_page=${perPage}>; rel="${rel}"`)
    .join(', ')
}

const secrets = /^(?:private_token|access_token)$/

/** The query as it came, without what the links replace and without secrets. */
function keptQuery(query: string, replaced: RegExp): string {
  const kept = query.split('&').filter((pair) => {
    const [name = ''] = pair.split('=')
    return name !== '' && !replaced.test(name) && !secrets.test(name)
  })
  return kept.length === 0 ? '' : `${kept.map(escapeForHeader).join('&')}&`
}

/** Characters that would end the link or the header never come through raw. */
function escapeForHeader(pair: string): string {
  return pair.replace(/[^\x21-\x7e]|[<>"]/g, (char) => encodeURIComponent(char))
}
