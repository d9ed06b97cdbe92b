import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Buildable, Param, Queries } from '../../queries.ts'
import type { Schema } from '../../schema/schema.ts'
import { unindexed } from '../../sql.ts'
import { type Args, type Context, columnsFor, type Part } from '../parts/conditions.ts'
import type { WorkItemPlan } from '../plan.ts'
import { columnOf, type Select } from '../work-item-table.ts'
import type { Driver } from './driver.ts'

/** The items with their conditions, as the driver reads them. */
export function flat(
  q: Queries,
  db: Kysely<Schema>,
  $: Param<Args>,
  plan: WorkItemPlan,
  driver: Driver,
): Select {
  const items = db.selectFrom(plan.table.name) as unknown as Select
  const query = plan.scope.kind === 'visible' ? joined(items, plan) : items
  return narrowed(query, contextOf(q, $, plan, driver), plan.parts, driver)
}

export function projectsFirst(
  q: Queries,
  db: Kysely<Schema>,
  $: Param<Args>,
  plan: WorkItemPlan,
  driver: Driver,
): Select {
  const query = db
    .selectFrom('projects')
    .crossJoin(plan.table.name as 'issues')
    .where(sql<SqlBool>`${columnOf(plan.table, 'projectId')} = projects."id"`)
  return narrowed(query as unknown as Select, contextOf(q, $, plan, driver), plan.parts, driver)
}

export function contextOf(
  q: Queries,
  $: Param<Args>,
  { table }: WorkItemPlan,
  driver: Driver,
): Context {
  return { $, table, dialect: q.dialect, column: columnsFor(table, driver.bare) }
}

export function narrowed(
  query: Select,
  context: Context,
  parts: readonly Part[],
  driver: Driver,
): Select {
  const left = parts.filter((part) => driver.answers?.(part) !== true)
  const start = driver.condition === undefined ? query : query.where(driver.condition(context))
  return left.reduce((narrower, part) => narrower.where(part.where(context)), start)
}

/** With the projects, whose columns conditions ask for; SQLite keeps to this order of the tables. */
export function joined(query: Select, { table }: WorkItemPlan): Select {
  return query
    .crossJoin('projects')
    .where(sql<SqlBool>`projects."id" = ${columnOf(table, 'projectId')}`) as unknown as Select
}

export function withProjects(query: Select, plan: WorkItemPlan): Select {
  return plan.scope.kind === 'visible' ? query : joined(query, plan)
}

export function shown<R>(query: Select, columns: readonly string[]): Buildable<R> {
  return query.select(columns as readonly 'issues.id'[]) as unknown as Buildable<R>
}

/**
 * Equal values by id, the newest first, whatever the direction is (catalogue: issues, 2.0). Where the driver
 * gives no order, its index shall not be left for one that does.
 */
export function ordered(
  query: Select,
  { table, orderBy, sort }: WorkItemPlan,
  inOrder = true,
): Select {
  const column = columnOf<number>(table, orderBy === 'created_at' ? 'createdAt' : 'updatedAt')
  return query
    .orderBy(inOrder ? column : unindexed<number>(column), sort)
    .orderBy(columnOf(table, 'id'), 'desc')
}
