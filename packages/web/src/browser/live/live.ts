import { adoptSymbols, loadPage } from '../api.ts'
import { all, announce } from '../dom.ts'
import { fieldLoader } from './fields.ts'
import { watchNewestComment } from './newest-comment.ts'
import { createRegions } from './regions.ts'
import { watchStream } from './stream.ts'

/** Milliseconds between two looks at the page, and how much longer some browsers wait than others. */
const interval = { least: 1500, spread: 1000 } as const

/**
 * Shows on an open page what others change: a stream says that something has changed, and the page is
 * loaded again with the rights of the viewer. What the reader types in or has chosen stays as it is.
 */
export function startLive(): void {
  const {
    stream,
    page: address,
    updatedAt,
    fields,
  } = document.getElementById('main')?.dataset ?? {}
  if (stream === undefined || address === undefined || !('EventSource' in window)) return
  const load =
    fields === undefined ? pageLoader(stream, address) : fieldLoader(stream, address, fields)
  let timer: ReturnType<typeof setTimeout> | undefined
  let loadedAt = 0
  watchStream(stream, updatedAt ?? '', () => {
    if (timer !== undefined) return
    const wait = Math.max(0, loadedAt + interval.least - Date.now())
    timer = setTimeout(
      () => {
        timer = undefined
        loadedAt = Date.now()
        load()
      },
      wait + Math.random() * interval.spread,
    )
  })
}

/** Brings the parts of the page up to date. */
function pageLoader(stream: string, address: string): () => Promise<void> {
  const regions = createRegions()
  const newestComment = watchNewestComment()
  // What was left alone because the reader was at it.
  document.addEventListener('focusout', () => setTimeout(regions.retry))
  return async () => {
    const page = await loadPage(address)
    // The page of somebody who was signed out is another one.
    if (page?.getElementById('main')?.dataset.stream !== stream) return
    adoptSymbols(page)
    const before = stateOf(document)
    const authors = regions.show(page)
    newestComment.compare(page)
    const state = stateOf(document)
    if (authors.length === 1) announce(`New comment by ${authors[0]}`)
    else if (authors.length > 1) announce(`${authors.length} new comments`)
    else if (state !== before) announce(`Now: ${state}`)
  }
}

/** What the badges of its heading say: `Closed`. */
function stateOf(page: Document): string {
  return all('[data-live=header] .badge', page)
    .map(({ textContent }) => textContent.trim())
    .join(', ')
}
