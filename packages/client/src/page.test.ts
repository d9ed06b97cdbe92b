import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  gadgetRegistry,
  type RecordedRequest,
  type RecordingServer,
  startRecordingServer,
} from '../test/testing.ts'
import { createClientFor, Page } from './index.ts'

let server: RecordingServer

beforeAll(async () => {
  server = await startRecordingServer()
})

afterAll(() => server.close())

beforeEach(() => {
  server.seen.length = 0
})

function connect() {
  return createClientFor(gadgetRegistry, { baseUrl: server.url, retries: 0 }).gadgets
}

async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

/** Five gadgets, two per page. */
function numbered({ url }: RecordedRequest) {
  const page = Number(new URL(url, server.url).searchParams.get('page') ?? 1)
  const ids = [1, 2, 3, 4, 5].slice(2 * page - 2, 2 * page)
  return {
    json: ids.map((id) => ({ id })),
    headers: {
      'x-page': String(page),
      'x-per-page': '2',
      'x-total': '5',
      'x-total-pages': '3',
      'x-next-page': page < 3 ? String(page + 1) : '',
      'x-prev-page': page > 1 ? String(page - 1) : '',
    },
  }
}

describe('a list', () => {
  it('is a page with its position when awaited', async () => {
    server.respond(numbered)
    const page = await connect().list({ per_page: 2 })
    expect(page).toBeInstanceOf(Page)
    expect(page).toMatchObject({ page: 1, perPage: 2, total: 5, totalPages: 3, nextPage: 2 })
    expect(page.prevPage).toBeNull()
    expect(Array.from(page, ({ id }) => id)).toEqual([1, 2])
    expect(server.seen).toHaveLength(1)
  })

  it('iterates over all pages with the same parameters', async () => {
    server.respond(numbered)
    const ids: number[] = []
    for await (const { id } of connect().list({ search: 'a b', page: 2 })) ids.push(id)
    expect(ids).toEqual([3, 4, 5])
    expect(server.seen.map(({ url }) => url.split('?')[1])).toEqual([
      'search=a%20b&page=2',
      'search=a%20b&page=3',
    ])
  })

  it('fetches pages only on demand', async () => {
    server.respond(numbered)
    const list = connect().list()
    expect(server.seen).toHaveLength(0)
    for await (const { id } of list) if (id === 2) break
    expect(server.seen).toHaveLength(1)
    expect((await list).items).toHaveLength(2)
    expect(server.seen).toHaveLength(1)
  })

  it('also iterates over whole pages', async () => {
    server.respond(numbered)
    const sizes: number[] = []
    for await (const page of connect().list().pages()) sizes.push(page.items.length)
    expect(sizes).toEqual([2, 2, 1])
  })

  it('follows the query of a link for keyset pages, at its own URL', async () => {
    server.respond(({ url }) =>
      url.includes('id_after')
        ? { json: [{ id: 2 }] }
        : {
            json: [{ id: 1 }],
            headers: {
              link: '<https://stranger.example/a?x=1>; rel="first", <https://stranger.example/api/v4/gadgets?search=q&id_after=1>; rel="next"',
            },
          },
    )
    expect(await collect(connect().list({ search: 'q' }))).toEqual([{ id: 1 }, { id: 2 }])
    expect(server.seen[1]?.url).toBe('/api/v4/gadgets?search=q&id_after=1')
  })

  it('ends if a server repeats the same next page', async () => {
    server.respond({ json: [{ id: 1 }], headers: { 'x-next-page': '2' } })
    expect(await collect(connect().list())).toEqual([{ id: 1 }, { id: 1 }])
  })

  it('rejects when awaited or iterated, with the methods of a promise', async () => {
    server.respond({ status: 403, json: { message: '403 Forbidden' } })
    await expect(connect().list()).rejects.toMatchObject({ code: 'forbidden' })
    await expect(collect(connect().list())).rejects.toMatchObject({ code: 'forbidden' })
    let ended = false
    const caught = await connect()
      .list()
      .finally(() => {
        ended = true
      })
      .catch((error: { status: number }) => error.status)
    expect([caught, ended]).toEqual([403, true])
  })
})
