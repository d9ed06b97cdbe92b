/**
 * The position of a page in its list. Null if the server doesn't report it: keyset pages have no
 * number.
 */
export interface PageInfo {
  readonly page: number | null
  readonly perPage: number | null
  readonly total: number | null
  readonly totalPages: number | null
  readonly nextPage: number | null
  readonly prevPage: number | null
}

/** One page of a list; iterates over its items. */
export class Page<T> implements PageInfo, Iterable<T> {
  readonly items: readonly T[]
  readonly page: number | null
  readonly perPage: number | null
  readonly total: number | null
  readonly totalPages: number | null
  readonly nextPage: number | null
  readonly prevPage: number | null

  constructor(items: readonly T[], info: PageInfo) {
    this.items = items
    this.page = info.page
    this.perPage = info.perPage
    this.total = info.total
    this.totalPages = info.totalPages
    this.nextPage = info.nextPage
    this.prevPage = info.prevPage
  }

  [Symbol.iterator](): Iterator<T> {
    return this.items[Symbol.iterator]()
  }
}

/** A page and the query of the next one; null on the last. */
export interface LoadedPage<T> {
  page: Page<T>
  next: string | null
}

/**
 * A lazy list. Awaited, it is its page; with `for await`, all items from that page on, each page
 * fetched when the previous one is used up. Nothing is sent before either.
 */
export class PagePromise<T> implements Promise<Page<T>>, AsyncIterable<T> {
  readonly [Symbol.toStringTag] = 'PagePromise'
  readonly #load: (query: string | null) => Promise<LoadedPage<T>>
  #first: Promise<LoadedPage<T>> | undefined

  constructor(load: (query: string | null) => Promise<LoadedPage<T>>) {
    this.#load = load
  }

  #begin(): Promise<LoadedPage<T>> {
    this.#first ??= this.#load(null)
    return this.#first
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list returns its page.
  then<A = Page<T>, B = never>(
    onPage?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#begin()
      .then(({ page }) => page)
      .then(onPage, onError)
  }

  catch<B = never>(
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<Page<T> | B> {
    return this.then(null, onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Page<T>> {
    return this.then().finally(onEnd)
  }

  /** All pages from the requested one on. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let current = await this.#begin()
    yield current.page
    while (current.next !== null) {
      current = await this.#load(current.next)
      yield current.page
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items
  }
}

/** Reads the pagination headers. */
export function readPageInfo(headers: Headers): PageInfo {
  return {
    page: readNumber(headers, 'x-page'),
    perPage: readNumber(headers, 'x-per-page'),
    total: readNumber(headers, 'x-total'),
    totalPages: readNumber(headers, 'x-total-pages'),
    nextPage: readNumber(headers, 'x-next-page'),
    prevPage: readNumber(headers, 'x-prev-page'),
  }
}

function readNumber(headers: Headers, name: string): number | null {
  const text = headers.get(name) ?? ''
  return /^\d+$/.test(text) ? Number(text) : null
}

/**
 * The query of the next page. Only the query of a link is used: the server may know itself by
 * another URL, and the token must not go to a URL in a response.
 */
export function nextQuery(headers: Headers, query: string): string | null {
  const nextPage = readNumber(headers, 'x-next-page')
  const next = nextPage === null ? linkedQuery(headers) : withPage(query, nextPage)
  return next === query ? null : next
}

function withPage(query: string, page: number): string {
  const kept = query.split('&').filter((pair) => pair !== '' && !pair.startsWith('page='))
  return [...kept, `page=${page}`].join('&')
}

function linkedQuery(headers: Headers): string | null {
  const links = (headers.get('link') ?? '').split('<').map((text) => text.split('>', 2))
  const [link] = links.find(([, parameters = '']) => /\brel="?next\b/.test(parameters)) ?? []
  if (link === undefined) return null
  const split = link.indexOf('?')
  return split === -1 ? null : link.slice(split + 1)
}
