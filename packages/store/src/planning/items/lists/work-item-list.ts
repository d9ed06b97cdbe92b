import type { Kysely } from 'kysely'
import {
  countRows,
  type Page,
  type PageRequest,
  selectPage,
} from '../../../platform/queries/page.ts'
import type { Param, Queries } from '../../../platform/queries/queries.ts'
import type { StampName } from '../../../platform/queries/stamps.ts'
import type { Schema } from '../../../platform/schema/schema.ts'
import { type Args, argsOf } from './parts/conditions.ts'
import type { WorkItemPlan } from './plan.ts'
import {
  chooseReadStrategy,
  type Lengths,
  type ReadStrategy,
  readsInOrder,
} from './reading/choose-read-strategy.ts'
import { type Driver, scopeDriver } from './reading/driver.ts'
import { mergePartitions } from './reading/merge-partitions.ts'
import { flat, ordered, projectsFirst, selectColumns, withProjects } from './reading/select.ts'
import { scopeStamps } from './scope.ts'
import { columnOf } from './work-item-table.ts'

/** Counts the items of the list; cached until something that it depends on changes. */
export function countWorkItems(q: Queries, plan: WorkItemPlan): Promise<number> {
  const driver = plan.driver ?? scopeDriver(plan.scope, 'created_at')
  // Joining from the projects to their items, an index alone suffices.
  const byProject =
    plan.scope.kind === 'visible' && (plan.driver === undefined || plan.driver.name === 'marks')
  const reader = byProject ? { ...driver, indexed: [...driver.indexed, 'projectId'] } : driver
  const from = (db: Kysely<Schema>, $: Param<Args>) =>
    byProject ? projectsFirst(q, db, $, plan, reader) : flat(q, db, $, plan, reader)
  return countRows(q, {
    shape: `${shapeOf(plan, driver)}|count`,
    args: plan.args,
    stamp: stampsOf(plan),
    versions: plan.versions,
    build: (db, $) => from(db, $).select((eb) => eb.fn.countAll<number>().as('total')),
  })
}

/**
 * The lengths that `chooseReadStrategy` needs; cached like the length of the list. No query if nothing
 * changed, or if there is nothing to choose.
 */
async function lengthsOf(q: Queries, plan: WorkItemPlan, total: number): Promise<Lengths> {
  if (readsInOrder(plan)) return { total, scope: total, all: total }
  const { table, bounds, versions } = plan
  const args = argsOf(bounds, plan.viewer)
  const unfiltered = { ...plan, parts: bounds, driver: undefined, args }
  const inScope = plan.driver === undefined ? total : await countWorkItems(q, unfiltered)
  const all = await countRows(q, {
    shape: `${table.name}.all`,
    args: {},
    stamp: table.name,
    versions,
    build: (db) => db.selectFrom(table.name).select((eb) => eb.fn.countAll<number>().as('total')),
  })
  return { total, scope: inScope, all }
}

/** With known project ids, the visibility of the projects is decided already. */
function stampsOf({ table, scope, parts }: WorkItemPlan): StampName[] {
  const names: StampName[] = parts.some(({ name }) => name.endsWith('named')) ? ['users'] : []
  const visible: readonly StampName[] = scope.kind === 'visible' ? scopeStamps : []
  return [table.name, ...names, ...visible]
}

/** The columns of a page. */
export interface WorkItemColumns<R> {
  /** Of the table and its `projects`. */
  columns: readonly string[]
  /** The type of the rows. */
  row?: R
}

/** Reads a page of the list, whose length is known. One query, and two more after a change. */
export async function loadWorkItemsPage<R>(
  q: Queries,
  plan: WorkItemPlan,
  columns: WorkItemColumns<R>,
  total: number,
  page: PageRequest,
): Promise<Page<R>> {
  const offset = (page.page - 1) * page.perPage
  if (offset >= total) return { items: [], total, ...page }
  const lengths = await lengthsOf(q, plan, total)
  const reading = chooseReadStrategy(plan, lengths, offset + page.perPage)
  return { items: await readWorkItems(q, plan, reading, columns, page), total, ...page }
}

/** Reads the items of a page in one of the possible ways; all of them give the same result. */
export function readWorkItems<R>(
  q: Queries,
  plan: WorkItemPlan,
  { kind, driver }: ReadStrategy,
  { columns }: WorkItemColumns<R>,
  page: PageRequest,
): Promise<R[]> {
  const shape = `${shapeOf(plan, driver)}|${plan.orderBy}-${plan.sort}`
  const { partitions } = driver
  if (kind === 'partitions' && partitions !== undefined) {
    const offset = (page.page - 1) * page.perPage
    const args = {
      ...plan.args,
      partitionLimit: offset + page.perPage,
      limit: page.perPage,
      offset,
    }
    return q.all(`${shape}|partitions`, args, (db, $) =>
      mergePartitions<R>(q, db, $, { ...plan, driver }, partitions, columns),
    )
  }
  return selectPage<Args, Schema, 'issues' | 'projects', R>(q, page, {
    shape,
    args: plan.args,
    from: (db, $) => flat(q, db, $, plan, driver),
    order: (query) => ordered(query, plan, driver.inOrder),
    columns: (query) => selectColumns<R>(withProjects(query, plan), columns),
    key: columnOf(plan.table, 'id'),
  })
}

function shapeOf({ table, parts }: WorkItemPlan, driver: Driver): string {
  return `${table.name}.list|${driver.name}|${parts.map((part) => part.name).join()}`
}
