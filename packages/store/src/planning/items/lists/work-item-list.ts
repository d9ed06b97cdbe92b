import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Counted } from '../../../platform/queries/count-cache.ts'
import {
  countList,
  countRows,
  countUpTo,
  isBeyond,
  type Page,
  type PageRequest,
  readPlaced,
  selectPage,
} from '../../../platform/queries/page.ts'
import type { Param, Queries } from '../../../platform/queries/queries.ts'
import type { Stamp } from '../../../platform/queries/stamps.ts'
import type { Schema } from '../../../platform/schema/schema.ts'
import { type Args, argsOf, number } from './parts/conditions.ts'
import { planEpics, planWorkItems, type WorkItemPlan } from './plan.ts'
import {
  chooseReadStrategy,
  type Lengths,
  type ReadStrategy,
  readsInOrder,
} from './reading/choose-read-strategy.ts'
import { type Driver, scopeDriver } from './reading/driver.ts'
import { mergePartitions } from './reading/merge-partitions.ts'
import {
  type Columns,
  flat,
  ordered,
  projectsFirst,
  selectColumns,
  withOwners,
} from './reading/select.ts'
import { itemStamps, scopeStamps } from './scope.ts'
import type { EpicListRequest, WorkItemRequest } from './work-item-filter.ts'
import { columnOf, type EpicTable, type WorkItemTable } from './work-item-table.ts'

/**
 * Counts the items of the list; cached until something that it depends on changes. With a `limit`
 * it counts no further.
 */
export function countWorkItems(q: Queries, plan: WorkItemPlan, limit?: number): Promise<Counted> {
  const driver = plan.driver ?? scopeDriver(plan.table, plan.scope, 'created_at')
  // Joining from the projects to their items, an index alone suffices.
  const byProject =
    plan.scope.kind === 'visible' && (plan.driver === undefined || plan.driver.name === 'marks')
  const reader = byProject ? { ...driver, indexed: [...driver.indexed, 'projectId'] } : driver
  const from = (db: Kysely<Schema>, $: Param<Args>) =>
    byProject ? projectsFirst(q, db, $, plan, reader) : flat(q, db, $, plan, reader)
  return countItems(q, plan, { shape: shapeOf(plan, driver), args: plan.args, limit, from })
}

/** What is counted of a list. */
interface CountedItems {
  shape: string
  args: Args
  limit?: number | undefined
  from: (db: Kysely<Schema>, $: Param<Args>) => Items
}

/** Counts items, cached with the versions of what the list depends on. */
export function countItems(
  q: Queries,
  plan: WorkItemPlan,
  { shape, args, limit, from }: CountedItems,
): Promise<Counted> {
  const isLimited = limit !== undefined
  return countList(q, {
    shape: isLimited ? `${shape}|some|count` : `${shape}|count`,
    args: isLimited ? { ...args, countLimit: limit } : args,
    stamp: stampsOf(plan),
    versions: plan.versions,
    build: (db, $) =>
      isLimited
        ? countUpTo(from(db, $), number($, 'countLimit'))
        : from(db, $).select((eb) => eb.fn.countAll<number>().as('total')),
  })
}

/**
 * The lengths that `chooseReadStrategy` needs; cached like the length of the list. No query if nothing
 * changed, or if there is nothing to choose.
 */
async function lengthsOf(q: Queries, plan: WorkItemPlan, total: number): Promise<Lengths> {
  if (readsInOrder(plan)) return { total, scope: total, all: total }
  const { table, versions } = plan
  const inScope = plan.driver === undefined ? total : await countScope(q, plan)
  const all = await countRows(q, {
    shape: `${table.name}.all`,
    args: {},
    stamp: [table.name],
    versions,
    build: (db) => db.selectFrom(table.name).select((eb) => eb.fn.countAll<number>().as('total')),
  })
  return { total, scope: inScope, all }
}

/** The number of items in the scope without any filter, as visible to the caller; cached. */
export async function countScope(q: Queries, plan: WorkItemPlan): Promise<number> {
  const { bounds, viewer } = plan
  const unfiltered = { ...plan, parts: bounds, driver: undefined, args: argsOf(bounds, viewer) }
  return (await countWorkItems(q, unfiltered)).total
}

/** With known project ids, the visibility of the projects is decided already. */
function stampsOf({ table, scope, parts }: WorkItemPlan): Stamp[] {
  const named: Stamp[] = parts.some((part) => part.name.endsWith('named')) ? ['users'] : []
  if (scope.kind === 'visible') return [table.name, ...named, ...scopeStamps]
  const ids = scope.kind === 'project' ? [scope.projectId] : scope.ids
  return [...itemStamps(table, ids), ...named]
}

/** The columns of a page. */
export interface WorkItemColumns<R> {
  /** Of the table and its `projects` or, for epics, `namespaces`. */
  columns: Columns
  /** The type of the rows. */
  row?: R
}

/**
 * Lists a page of the items that the caller may see. Two queries, one of them for the stamps; after
 * a change up to three more in a project (for what is counted), and up to six elsewhere. A label or
 * milestone by title costs one more outside of a project.
 */
export async function listWorkItems<R>(
  q: Queries,
  table: WorkItemTable,
  columns: WorkItemColumns<R>,
  request: WorkItemRequest,
  page: PageRequest,
): Promise<Page<R>> {
  return loadPlanned(q, await planWorkItems(q, table, request), columns, page)
}

/**
 * Lists a page of the epics that the caller may see. Three queries, for the stamps, the groups and
 * the page; after a change up to four more.
 */
export async function listGroupItems<R>(
  q: Queries,
  table: EpicTable,
  columns: WorkItemColumns<R>,
  request: EpicListRequest,
  page: PageRequest,
): Promise<Page<R>> {
  return loadPlanned(q, await planEpics(q, table, request), columns, page)
}

async function loadPlanned<R>(
  q: Queries,
  plan: WorkItemPlan | undefined,
  columns: WorkItemColumns<R>,
  page: PageRequest,
): Promise<Page<R>> {
  if (plan === undefined) return { items: [], total: 0, ...page }
  return loadWorkItemsPage<R>(q, plan, columns, await countWorkItems(q, plan), page)
}

/** Reads a page of the list, whose length is known. One query, and two more after a change. */
export async function loadWorkItemsPage<R>(
  q: Queries,
  plan: WorkItemPlan,
  columns: WorkItemColumns<R>,
  count: Counted,
  page: PageRequest,
): Promise<Page<R>> {
  const { total } = count
  if (isBeyond(page, total)) return { items: [], total, ...page }
  const lengths = await lengthsOf(q, plan, total)
  const strategy = chooseReadStrategy(plan, lengths, page.page * page.perPage)
  const items = await readWorkItems(q, plan, { ...columns, strategy, count }, page)
  return { items, total, ...page }
}

/** How a page is read, as for `selectPage`. */
interface WorkItemReading<R> extends WorkItemColumns<R> {
  strategy: ReadStrategy
  count?: Counted
}

/** Reads the items of a page in one of the possible ways; all of them give the same result. */
export function readWorkItems<R>(
  q: Queries,
  plan: WorkItemPlan,
  { strategy: { kind, driver }, count, columns }: WorkItemReading<R>,
  page: PageRequest,
): Promise<R[]> {
  const shape = `${shapeOf(plan, driver)}|${plan.orderBy}-${plan.sort}`
  const { partitions } = driver
  if (kind === 'partitions' && partitions !== undefined) {
    const end = page.page * page.perPage
    const limits = { partitionLimit: end, limit: page.perPage, offset: end - page.perPage }
    const args = { ...plan.args, ...limits }
    const merged = `${shape}|partitions`
    return readPlaced(q, { shape: merged, end, count }, (place) =>
      place.all(merged, args, (db, $) =>
        mergePartitions<R>(q, db, $, { ...plan, driver }, partitions, columns),
      ),
    )
  }
  const list = {
    shape,
    args: plan.args,
    from: (db: Kysely<Schema>, $: Param<Args>) => flat(q, db, $, plan, driver),
    order: (query: Items) => ordered(query, plan, driver.inOrder),
    columns: (query: Items) => selectColumns<R>(withOwners(query, plan), columns),
    key: columnOf(plan.table, 'id'),
  }
  return selectPage<Args, Schema, 'issues' | 'projects', R>(q, page, list, count)
}

type Items = SelectQueryBuilder<Schema, 'issues' | 'projects', object>

export function shapeOf(
  { table, parts }: Pick<WorkItemPlan, 'table' | 'parts'>,
  driver: Driver,
): string {
  return `${table.name}.list|${driver.name}|${parts.map((part) => part.name).join()}`
}
