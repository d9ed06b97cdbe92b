import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Counted } from './count-cache.ts'
import { type Build, type Buildable, inBackground, type Queries } from './queries.ts'
import type { ColumnLike } from './sql.ts'
import { readStamps, type Stamp, type Versions } from './stamps.ts'

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
  /**
   * Whether there is a next page, of a list whose rows are not counted: then `total` is the least
   * that there are.
   */
  hasMore?: boolean
}

/**
 * A page of a list that isn't counted.
 * @param rows those of the page, and the one after it if there is one
 */
export function uncountedPage<T>(rows: readonly T[], request: PageRequest): Page<T> {
  const { page, perPage } = request
  return {
    items: rows.slice(0, perPage),
    total: (page - 1) * perPage + rows.length,
    page,
    perPage,
    hasMore: rows.length > perPage,
  }
}

export interface CountRequest<A> {
  shape: string
  args: A
  /** The stamps that the count depends on; undefined if it also depends on something else. */
  stamp: readonly Stamp[] | undefined
  /** The versions of these stamps, and maybe others, if they were read before. */
  versions?: Versions | undefined
  /** `db.selectFrom(…).select((eb) => eb.fn.countAll<number>().as('total'))` */
  build: Build<A, { total: number }>
  /** Whether the list is known to be short, so that another thread would take longer to ask. */
  isShort?: boolean | undefined
}

/**
 * Counts the rows of a list in the background, or returns the cached count while the stamps are
 * unchanged. A count above 10,000 may be up to a minute old; a smaller one is never stale,
 * whichever process changed it.
 */
export async function countRows<A extends object>(
  q: Queries,
  request: CountRequest<A>,
): Promise<number> {
  return (await countList(q, request)).total
}

/** `countRows`, with what `selectPage` needs to know of the list. */
export async function countList<A extends object>(
  q: Queries,
  { shape, args, stamp, versions, build, isShort = false }: CountRequest<A>,
): Promise<Counted> {
  const place = isShort ? q : inBackground(q)
  const take = async () => (await place.first(shape, args, build))?.total ?? 0
  if (q.counts === undefined || stamp === undefined) {
    return { total: await take(), ms: 0, quickUntil: new Map() }
  }
  // The stamps are read first: a change in between costs a new count, never a wrong one.
  const isKnown = versions !== undefined && stamp.every((name) => name in versions)
  const read = isKnown ? versions : await readStamps(q, stamp)
  const version = stamp.map((name) => read[name]).join()
  return q.counts.count(countKey(shape, args), version, take)
}

/** Faster than JSON of everything; arrays are the only values that are not scalars. */
function countKey(shape: string, args: object): string {
  let key = shape
  for (const value of Object.values(args)) {
    key += `\u0000${typeof value === 'object' ? JSON.stringify(value) : value}`
  }
  return key
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

/** A list that was counted in less, in milliseconds, has no page that takes long. */
const quickCountMs = 2

/** A page that took less, in milliseconds, holds up nothing else. */
const quickPageMs = 5

/**
 * Reads the rows of one page. With the `count` of the list, a page that may take long is read in
 * the background: all pages of a list that took long to count, until they were seen to be quick.
 */
export async function selectPage<A extends object, DB, TB extends keyof DB, R>(
  q: Queries,
  request: PageRequest,
  list: ListQuery<A, DB, TB, R>,
  count?: Counted,
): Promise<R[]> {
  const offset = (request.page - 1) * request.perPage
  const deep = offset > deepOffset
  const shape = `${list.shape}|${deep ? 'deep' : 'page'}`
  const args = { ...list.args, pageLimit: request.perPage, pageOffset: offset }
  const end = offset + request.perPage
  return readPlaced(q, { shape, end, count }, (place) =>
    place.all(shape, args, (db, $) => {
      const cut = (query: Select<DB, TB>) =>
        list.order(query).limit($('pageLimit')).offset($('pageOffset'))
      if (!deep) return list.columns(cut(list.from(db, $)))
      const key = typeof list.key === 'string' ? sql.ref(list.key) : list.key
      const ids = cut(list.from(db, $)).select(sql`${key}`.as('key'))
      return list.columns(list.order(list.from(db, $).where(sql<SqlBool>`${key} in (${ids})`)))
    }),
  )
}

/** A page up to the row `end` of a list; `shape` names its query. */
interface PlacedPage {
  shape: string
  end: number
  count: Counted | undefined
}

/** Reads a page where it holds up nothing else, and learns whether it is quick. */
export async function readPlaced<R>(
  q: Queries,
  { shape, end, count }: PlacedPage,
  read: (place: Queries) => Promise<R[]>,
): Promise<R[]> {
  const isQuick =
    count === undefined || count.ms < quickCountMs || end <= (count.quickUntil.get(shape) ?? 0)
  if (isQuick || q.background === undefined) return read(q)
  const started = performance.now()
  const rows = await read(q.background)
  if (performance.now() - started < quickPageMs) count.quickUntil.set(shape, end)
  return rows
}

/** A list with its total. */
export interface CountedList<A, DB, TB extends keyof DB, R>
  extends ListQuery<A, DB, TB, R>,
    Pick<CountRequest<A>, 'stamp' | 'isShort'> {
  /** Default: that of the list. */
  countShape?: string
  /** How the rows are counted where counting those of `from` would be slow. */
  count?: Build<A, { total: number }>
}

/** Reads one page of a list and its total: two queries, and one for the stamps. */
export async function listPage<A extends object, DB, TB extends keyof DB, R>(
  q: Queries,
  request: PageRequest,
  list: CountedList<A, DB, TB, R>,
): Promise<Page<R>> {
  const count = await countList(q, {
    shape: `${list.countShape ?? list.shape}|count`,
    args: list.args,
    stamp: list.stamp,
    isShort: list.isShort,
    build: list.count ?? ((db, $) => countOf(list.from(db, $))),
  })
  const { total } = count
  const items = isBeyond(request, total) ? [] : await selectPage(q, request, list, count)
  return { items, total, ...request }
}

/** A list that is counted for each request. */
export interface UncachedList<A, DB, TB extends keyof DB, R>
  extends ListQuery<A, DB, TB, R>,
    Pick<CountedList<A, DB, TB, R>, 'countShape' | 'count'> {
  /** Whether the rows are counted in the background. */
  countInBackground?: boolean
}

/**
 * Reads one page of a list that has few rows, and its total, which isn't cached: one query if the
 * page shows where the list ends, otherwise two.
 */
export async function listUncached<A extends object, DB, TB extends keyof DB, R>(
  q: Queries,
  request: PageRequest,
  list: UncachedList<A, DB, TB, R>,
): Promise<Page<R>> {
  const items = await selectPage(q, request, list)
  const total =
    totalBehind(request, items.length) ??
    (await countAgain(list.countInBackground ? inBackground(q) : q, list))
  return { items, total, ...request }
}

/** The total that a page of this many rows shows; undefined if there may be more. */
export function totalBehind({ page, perPage }: PageRequest, rows: number): number | undefined {
  const isLast = rows < perPage && (rows > 0 || page === 1)
  return isLast ? (page - 1) * perPage + rows : undefined
}

async function countAgain<A extends object, DB, TB extends keyof DB, R>(
  q: Queries,
  list: UncachedList<A, DB, TB, R>,
): Promise<number> {
  const { countShape = list.shape, args } = list
  const build = list.count ?? ((db, $) => countOf(list.from(db, $)))
  return (await q.first(`${countShape}|count`, args, build))?.total ?? 0
}

function countOf<DB, TB extends keyof DB>(query: Select<DB, TB>): Buildable<{ total: number }> {
  return query.select((eb) => eb.fn.countAll<number>().as('total'))
}

/** Counts the rows of a query, but no more than `limit`. */
export function countUpTo<DB, TB extends keyof DB>(
  query: Select<DB, TB>,
  limit: number,
): Buildable<{ total: number }> {
  const some = query.select(sql`1`.as('one')).limit(limit)
  return sql<{ total: number }>`select count(*) as "total" from (${some}) as "some"`
}

/** Whether a page of a list of this length is empty. */
export function isBeyond({ page, perPage }: PageRequest, total: number): boolean {
  return (page - 1) * perPage >= total
}
