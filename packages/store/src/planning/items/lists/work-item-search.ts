import { type Kysely, type SqlBool, sql } from 'kysely'
import { viewerKind } from '../../../directory/members/visibility.ts'
import { exactLimit } from '../../../platform/queries/count-cache.ts'
import { foundPage } from '../../../platform/queries/found-page.ts'
import type { Page, PageRequest } from '../../../platform/queries/page.ts'
import { inBackground, type Param, type Queries } from '../../../platform/queries/queries.ts'
import { unindexed } from '../../../platform/queries/sql.ts'
import type { Schema } from '../../../platform/schema/schema.ts'
import { type Args, argsOf, number } from './parts/conditions.ts'
import { planWorkItems, type WorkItemPlan } from './plan.ts'
import { type Driver, scopeDriver } from './reading/driver.ts'
import {
  contextOf,
  flat,
  joinOwners,
  selectColumns,
  withConditions,
  withOwners,
} from './reading/select.ts'
import { boundsByProject } from './scope.ts'
import type { WorkItemRequest } from './work-item-filter.ts'
import {
  countItems,
  countScope,
  countWorkItems,
  loadWorkItemsPage,
  shapeOf,
  type WorkItemColumns,
} from './work-item-list.ts'
import { columnOf, type Select, type WorkItemTable } from './work-item-table.ts'

/** A scope of up to this many items is read without the index of words. */
const smallScope = 10_000

/** What is searched for, and how long a page waits for the total. */
export interface WorkItemSearch {
  request: WorkItemRequest
  page: PageRequest
  /** Milliseconds, from when the page is there. */
  totalMs: number
}

/** A search that the index of words answers. */
interface IndexedSearch extends WorkItemSearch {
  plan: WorkItemPlan
  /** The index of words, or the scope if that is small. */
  driver: Driver
}

/**
 * Lists a page of the items that the caller may see and that have the words, newest first. There is
 * no total above 10,000, nor one that takes longer to count than the page may wait; it is counted
 * on for the next page.
 */
export async function searchWorkItems<R>(
  q: Queries,
  table: WorkItemTable,
  columns: WorkItemColumns<R>,
  search: WorkItemSearch,
): Promise<Page<R>> {
  const plan = await planWorkItems(q, table, search.request, { resolves: true })
  if (plan === undefined) return { items: [], total: 0, ...search.page }
  if (plan.driver?.name !== 'texts') return searchInOrder(q, plan, columns, search.page)
  const isSmall = plan.scope.kind !== 'visible' && (await countScope(q, plan)) <= smallScope
  const driver = isSmall ? scopeDriver(plan.table, plan.scope, 'created_at') : plan.driver
  return searchByWords(q, { ...search, plan, driver }, columns)
}

/**
 * Without an index of words, or with one that the database chooses by itself: reads as other lists
 * do, once it is known whether there are many.
 */
async function searchInOrder<R>(
  q: Queries,
  plan: WorkItemPlan,
  columns: WorkItemColumns<R>,
  page: PageRequest,
): Promise<Page<R>> {
  const end = page.page * page.perPage
  const count = await countWorkItems(q, plan, end > exactLimit ? undefined : exactLimit + 1)
  const found = await loadWorkItemsPage<R>(q, plan, columns, count, page)
  return count.total > exactLimit ? { ...found, hasMore: end < count.total } : found
}

/** Reads a page by the driver, and waits for the total if the page is not the last. */
export function searchByWords<R>(
  q: Queries,
  search: IndexedSearch,
  columns: WorkItemColumns<R>,
): Promise<Page<R>> {
  const { page, totalMs } = search
  const read = (rows: Rows) => readFound<R>(q, search, columns, rows)
  return foundPage({ page, totalMs, read, count: () => countFound(q, search) })
}

interface Rows {
  limit: number
  offset: number
}

/** In the order of the index of words, which is read only until there are enough rows. */
function readFound<R>(
  q: Queries,
  { plan, driver }: IndexedSearch,
  { columns }: WorkItemColumns<R>,
  rows: Rows,
): Promise<R[]> {
  const args = { ...plan.args, ...rows }
  return inBackground(q).all(`${shapeOf(plan, driver)}|found`, args, (db, $) => {
    const isIndexed = driver.name === 'texts'
    const found = isIndexed ? byWords(q, db, $, plan, driver) : flat(q, db, $, plan, driver)
    const id = isIndexed ? rowidOf(plan) : unindexed<number>(columnOf(plan.table, 'id'))
    const cut = found.orderBy(id, 'desc').limit(number($, 'limit')).offset(number($, 'offset'))
    return selectColumns<R>(withOwners(cut, plan), columns)
  })
}

/** Counts what is found, up to one more than totals are shown for. */
async function countFound(q: Queries, { plan, driver, request }: IndexedSearch): Promise<number> {
  if (driver.name !== 'texts') {
    return (await countWorkItems(q, { ...plan, driver: undefined })).total
  }
  const { scope } = request
  if (plan.scope.kind !== 'visible' || scope.kind === 'project' || !('projects' in plan.table)) {
    return (await countAs(q, plan, driver)).total
  }
  const bounds = boundsByProject(plan.table, scope, viewerKind(request.caller))
  const parts = [...bounds, ...plan.parts.slice(plan.bounds.length)]
  const args = { ...argsOf(parts, plan.viewer), ...driver.args }
  return (await countAs(q, { ...plan, parts, args }, driver)).total
}

function countAs(q: Queries, plan: WorkItemPlan, driver: Driver) {
  return countItems(q, plan, {
    shape: `${shapeOf(plan, driver)}|found`,
    args: plan.args,
    limit: exactLimit + 1,
    from: (db, $) => itemsByWords(q, db, $, plan, driver),
  })
}

/** From the index of words to the items and, if they decide, their projects; in this order. */
function byWords(
  q: Queries,
  db: Kysely<Schema>,
  $: Param<Args>,
  plan: WorkItemPlan,
  driver: Driver,
): Select {
  const items = itemsByWords(q, db, $, plan, driver)
  return plan.scope.kind === 'visible' ? joinOwners(items, plan) : items
}

function itemsByWords(
  q: Queries,
  db: Kysely<Schema>,
  $: Param<Args>,
  plan: WorkItemPlan,
  { condition: _, ...driver }: Driver,
): Select {
  const { table } = plan
  const texts = (db.selectFrom(table.texts as 'issues') as unknown as Select)
    .crossJoin(table.name as 'issues')
    .where(sql<SqlBool>`${sql.table(table.texts)} match ${$('match')}`)
    .where(sql<SqlBool>`${columnOf(table, 'id')} = ${rowidOf(plan)}`) as unknown as Select
  return withConditions(texts, contextOf(q, $, plan, driver), plan.parts, driver)
}

function rowidOf({ table }: WorkItemPlan) {
  return sql<number>`${sql.ref(`${table.texts}.rowid`)}`
}
