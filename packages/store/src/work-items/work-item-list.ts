import type { Kysely } from 'kysely'
import { countRows, type Page, type PageRequest, selectPage } from '../page.ts'
import type { Param, Queries } from '../queries.ts'
import type { Schema } from '../schema/schema.ts'
import type { StampName } from '../stamps.ts'
import { type Args, argsOf } from './parts/conditions.ts'
import type { WorkItemPlan } from './plan.ts'
import { chooseReading, isInOrder, type Lengths, type Reading } from './reading/choose-reading.ts'
import { type Driver, placeDriver } from './reading/driver.ts'
import { mergeLanes } from './reading/merge-lanes.ts'
import { flat, ordered, projectsFirst, shown, withProjects } from './reading/select.ts'
import { scopeStamps } from './scope.ts'
import { columnOf } from './work-item-table.ts'

/** How many items the list has; remembered until something that it depends on changes. */
export function countWorkItems(q: Queries, plan: WorkItemPlan): Promise<number> {
  const driver = plan.driver ?? placeDriver(plan.scope, 'created_at')
  // From the projects to their items, an index alone answers.
  const byProject =
    plan.scope.kind === 'visible' && (plan.driver === undefined || plan.driver.name === 'marks')
  const reader = byProject ? { ...driver, bare: [...driver.bare, 'projectId'] } : driver
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
 * What `chooseReading` needs to know; remembered as the length of the list itself is. No query where nothing
 * changed, or where there is nothing to choose.
 */
async function lengthsOf(q: Queries, plan: WorkItemPlan, total: number): Promise<Lengths> {
  if (isInOrder(plan)) return { total, place: total, all: total }
  const { table, bounds, versions } = plan
  const args = argsOf(bounds, plan.viewer)
  const unfiltered = { ...plan, parts: bounds, driver: undefined, args }
  const place = plan.driver === undefined ? total : await countWorkItems(q, unfiltered)
  const all = await countRows(q, {
    shape: `${table.name}.all`,
    args: {},
    stamp: table.name,
    versions,
    build: (db) => db.selectFrom(table.name).select((eb) => eb.fn.countAll<number>().as('total')),
  })
  return { total, place, all }
}

/** Where the projects are known by id, their visibility is settled already. */
function stampsOf({ table, scope, parts }: WorkItemPlan): StampName[] {
  const names: StampName[] = parts.some(({ name }) => name.endsWith('named')) ? ['users'] : []
  const visible: readonly StampName[] = scope.kind === 'visible' ? scopeStamps : []
  return [table.name, ...names, ...visible]
}

/** What a page is made of beside the plan. */
export interface WorkItemColumns<R> {
  /** Of the table and its `projects`. */
  columns: readonly string[]
  /** The type of what they make. */
  row?: R
}

/** A page of the list, whose length is known. One query, and two more after a change. */
export async function pageOfWorkItems<R>(
  q: Queries,
  plan: WorkItemPlan,
  columns: WorkItemColumns<R>,
  total: number,
  page: PageRequest,
): Promise<Page<R>> {
  const offset = (page.page - 1) * page.perPage
  if (offset >= total) return { items: [], total, ...page }
  const lengths = await lengthsOf(q, plan, total)
  const reading = chooseReading(plan, lengths, offset + page.perPage)
  return { items: await readWorkItems(q, plan, reading, columns, page), total, ...page }
}

/** The items of a page, read in one of the ways that there are; all of them find the same. */
export function readWorkItems<R>(
  q: Queries,
  plan: WorkItemPlan,
  { way, driver }: Reading,
  { columns }: WorkItemColumns<R>,
  page: PageRequest,
): Promise<R[]> {
  const shape = `${shapeOf(plan, driver)}|${plan.orderBy}-${plan.sort}`
  const { lanes } = driver
  if (way === 'lanes' && lanes !== undefined) {
    const offset = (page.page - 1) * page.perPage
    const args = { ...plan.args, laneLimit: offset + page.perPage, limit: page.perPage, offset }
    return q.all(`${shape}|lanes`, args, (db, $) =>
      mergeLanes<R>(q, db, $, { ...plan, driver }, lanes, columns),
    )
  }
  return selectPage<Args, Schema, 'issues' | 'projects', R>(q, page, {
    shape,
    args: plan.args,
    from: (db, $) => flat(q, db, $, plan, driver),
    order: (query) => ordered(query, plan, driver.inOrder),
    columns: (query) => shown<R>(withProjects(query, plan), columns),
    key: columnOf(plan.table, 'id'),
  })
}

function shapeOf({ table, parts }: WorkItemPlan, driver: Driver): string {
  return `${table.name}.list|${driver.name}|${parts.map((part) => part.name).join()}`
}
