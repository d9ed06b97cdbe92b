import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Build, Buildable, Queries } from './queries.ts'
import type { ColumnLike } from './sql.ts'
import { readStamps, type StampName } from './stamps.ts'

/** The page; both numbers start from 1. */
export interface PageRequest {
  page: number
  perPage: number
}

/** One page of a list; `total` counts the rows of all pages. */
export interface Page<T> {
  items: T[]
  total: number
  page: number
  perPage: number
}

export interface CountRequest<A> {
  shape: string
  args: A
  /** The stamps that the count depends on. */
  stamp: StampName | readonly StampName[]
  /** The versions of these stamps, and maybe others, if they were read before. */
  versions?: Partial<Record<StampName, number>> | undefined
  /** `db.selectFrom(…).select((eb) => eb.fn.countAll<number>().as('total'))` */
  build: Build<A, { total: number }>
}

/**
 * Counts the rows of a list, or returns the cached count while the stamps are unchanged. A count
 * above 10,000 may be up to a minute old; a smaller one is never stale, whichever process changed
 * it.
 */
export async function countRows<A extends object>(
  q: Queries,
  { shape, args, stamp, versions, build }: CountRequest<A>,
): Promise<number> {
  if (q.counts === undefined) return takeCount(q, shape, args, build)
  // The stamps are read first: a change in between costs a new count, never a wrong one.
  const names = typeof stamp === 'string' ? [stamp] : stamp
  const isKnown = versions !== undefined && names.every((name) => name in versions)
  const read: Partial<Record<StampName, number>> = isKnown ? versions : await readStamps(q, names)
  const version = names.map((name) => read[name]).join()
  const key = countKey(shape, args)
  const known = q.counts.find(key, version)
  if (known !== undefined) return known
  const total = await takeCount(q, shape, args, build)
  q.counts.set(key, version, total)
  return total
}

/** Faster than JSON of everything; arrays are the only values that are not scalars. */
function countKey(shape: string, args: object): string {
  let key = shape
  for (const value of Object.values(args)) {
    key += `\u0000${typeof value === 'object' ? JSON.stringify(value) : value}`
  }
  return key
}

async function takeCount<A extends object>(
  q: Queries,
  shape: string,
  args: A,
  build: Build<A, { total: number }>,
): Promise<number> {
  const row = await q.first(shape, args, build)
  return row?.total ?? 0
}

type Select<DB, TB extends keyof DB> = SelectQueryBuilder<DB, TB, object>

/** The parts of a list query that paging needs. */
export interface ListQuery<A, DB, TB extends keyof DB, R> {
  shape: string
  args: A
  /** The tables and the filter, without columns: `db.selectFrom('users').where(…)`. */
  from: (...parameters: Parameters<Build<A, unknown>>) => Select<DB, TB>
  /**
   * The order; its last key is the id, in the same direction as the first so that an index serves
   * it.
   */
  order: (query: Select<DB, TB>) => Select<DB, TB>
  /** The columns, and joins that add nothing but columns. */
  columns: (query: Select<DB, TB>) => Buildable<R>
  /** The column of the row's id: `users.id`. */
  key: ColumnLike
}

/** From this offset on, the ids of a page are selected first. */
const deepOffset = 1000

/** Reads the rows of one page. */
export function selectPage<A extends object, DB, TB extends keyof DB, R>(
  q: Queries,
  request: PageRequest,
  list: ListQuery<A, DB, TB, R>,
): Promise<R[]> {
  const offset = (request.page - 1) * request.perPage
  const args = { ...list.args, pageLimit: request.perPage, pageOffset: offset }
  const deep = offset > deepOffset
  return q.all(`${list.shape}|${deep ? 'deep' : 'page'}`, args, (db, $) => {
    const cut = (query: Select<DB, TB>) =>
      list.order(query).limit($('pageLimit')).offset($('pageOffset'))
    if (!deep) return list.columns(cut(list.from(db, $)))
    const key = typeof list.key === 'string' ? sql.ref(list.key) : list.key
    const ids = cut(list.from(db, $)).select(sql`${key}`.as('key'))
    return list.columns(list.order(list.from(db, $).where(sql<SqlBool>`${key} in (${ids})`)))
  })
}
