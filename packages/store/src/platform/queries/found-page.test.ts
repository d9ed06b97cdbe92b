import { describe, expect, it } from 'vitest'
import { foundPage } from './found-page.ts'

/** A page of a list of `length` rows that are their own indices. */
function pageOf(
  length: number,
  page: { page: number; perPage: number },
  count: () => Promise<number> = async () => length,
) {
  const read = async ({ limit, offset }: { limit: number; offset: number }) =>
    Array.from({ length: Math.max(0, Math.min(limit, length - offset)) }, (_, row) => offset + row)
  return foundPage({ page, totalMs: 1, read, count })
}

const never = () => new Promise<number>(() => undefined)
const fail = () => Promise.reject(new Error('no count'))

describe('foundPage', () => {
  it('needs no count for the last page', async () => {
    expect(await pageOf(3, { page: 2, perPage: 2 }, fail)).toEqual({
      items: [2],
      total: 3,
      page: 2,
      perPage: 2,
    })
    expect(await pageOf(0, { page: 1, perPage: 2 }, fail)).toMatchObject({ items: [], total: 0 })
  })

  it('counts for any other page, and behind the end', async () => {
    expect(await pageOf(5, { page: 1, perPage: 2 })).toEqual({
      items: [0, 1],
      total: 5,
      page: 1,
      perPage: 2,
    })
    expect(await pageOf(5, { page: 9, perPage: 2 })).toMatchObject({ items: [], total: 5 })
    await expect(pageOf(5, { page: 1, perPage: 2 }, fail)).rejects.toThrow('no count')
  })

  it('has no total above 10,000', async () => {
    const page = { page: 1, perPage: 2 }
    expect(await pageOf(10_000, page)).not.toHaveProperty('hasMore')
    expect(await pageOf(10_001, page)).toEqual({ items: [0, 1], total: 3, ...page, hasMore: true })
    const last = { page: 5001, perPage: 2 }
    expect(await pageOf(10_001, last)).toEqual({ items: [10_000], total: 10_001, ...last })
    const behind = await pageOf(10_001, { page: 6000, perPage: 2 })
    expect(behind).toMatchObject({ items: [], hasMore: false })
  })

  it('waits no longer for the total than it may', async () => {
    const page = { page: 1, perPage: 2 }
    expect(await pageOf(5, page, never)).toEqual({
      items: [0, 1],
      total: 3,
      ...page,
      hasMore: true,
    })
  })
})
