import { type AliasedExpression, type Kysely, type SqlBool, sql } from 'kysely'
import type { Buildable, Param, Queries } from '../../../../platform/queries/queries.ts'
import { unindexed } from '../../../../platform/queries/sql.ts'
import type { Schema } from '../../../../platform/schema/schema.ts'
import { type Args, type Context, columnsFor, type Part } from '../parts/conditions.ts'
import type { WorkItemPlan } from '../plan.ts'
import { columnOf, type Select } from '../work-item-table.ts'
import { type Driver, orderColumns } from './driver.ts'

/** The items with their conditions, as the driver reads them. */
export function flat(
  q: Queries,
  db: Kysely<Schema>,
  $: Param<Args>,
  plan: WorkItemPlan,
  driver: Driver,
): Select {
  const items = db.selectFrom(plan.table.name) as unknown as Select
  const query = plan.scope.kind === 'visible' ? joinOwners(items, plan) : items
  return withConditions(query, contextOf(q, $, plan, driver), plan.parts, driver)
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
  return withConditions(
    query as unknown as Select,
    contextOf(q, $, plan, driver),
    plan.parts,
    driver,
  )
}

export function contextOf(
  q: Queries,
  $: Param<Args>,
  { table }: WorkItemPlan,
  driver: Driver,
): Context {
  return { $, table, dialect: q.dialect, column: columnsFor(table, driver.indexed) }
}

export function withConditions(
  query: Select,
  context: Context,
  parts: readonly Part[],
  driver: Driver,
): Select {
  const remaining = parts.filter((part) => driver.answers?.(part) !== true)
  const start = driver.condition === undefined ? query : query.where(driver.condition(context))
  return remaining.reduce((filtered, part) => filtered.where(part.where(context)), start)
}

/** Joins the projects or groups, whose columns conditions use; SQLite keeps this order of the tables. */
export function joinOwners(query: Select, { table }: WorkItemPlan): Select {
  const { owner } = table
  const id = sql.ref(`${owner.table}.id`)
  return query
    .crossJoin(owner.table as 'projects')
    .where(sql<SqlBool>`${id} = ${columnOf(table, owner.column)}`) as unknown as Select
}

export function withOwners(query: Select, plan: WorkItemPlan): Select {
  return plan.scope.kind === 'visible' ? query : joinOwners(query, plan)
}

/** The columns of a list: names, and expressions with a name. */
export type Columns = readonly (string | AliasedExpression<unknown, string>)[]

export function selectColumns<R>(query: Select, columns: Columns): Buildable<R> {
  return query.select(columns as readonly 'issues.id'[]) as unknown as Buildable<R>
}

/**
 * Orders equal values by id, newest first, whatever the direction. Where the driver gives no order,
 * hides the columns so that the planner doesn't leave its index for one that does.
 */
export function ordered(
  query: Select,
  { table, orderBy, sort }: WorkItemPlan,
  inOrder = true,
): Select {
  const column = columnOf<number>(table, orderColumns[orderBy])
  return query
    .orderBy(inOrder ? column : unindexed<number>(column), sort)
    .orderBy(columnOf(table, 'id'), 'desc')
}
