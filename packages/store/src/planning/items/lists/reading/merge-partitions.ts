import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { Buildable, Param, Queries } from '../../../../platform/queries/queries.ts'
import type { Schema } from '../../../../platform/schema/schema.ts'
import { type Args, type Context, number } from '../parts/conditions.ts'
import type { WorkItemPlan } from '../plan.ts'
import { columnOf, type Select } from '../work-item-table.ts'
import type { Driver, Partitions } from './driver.ts'
import {
  type Columns,
  contextOf,
  joinOwners,
  ordered,
  selectColumns,
  withConditions,
} from './select.ts'

type Driven = WorkItemPlan & { driver: Driver }

/** Selects the first rows of each partition, and the page from them. */
export function mergePartitions<R>(
  q: Queries,
  db: Kysely<Schema>,
  $: Param<Args>,
  plan: Driven,
  partitions: Partitions,
  columns: Columns,
): Buildable<R> {
  const { table } = plan
  const context = contextOf(q, $, plan, plan.driver)
  const first = firstOfPartition(db, context, plan, partitions)
  const source = partitions.source(context)
  const id = columnOf<number>(table, 'id')
  const ids =
    q.dialect === 'sqlite'
      ? sql`select top."id" from (${source}) as partition cross join ${sql.table(table.name)} as top
          where top."id" in (${first})`
      : sql`select top."id" from (${source}) as partition cross join lateral (${first}) as top`
  const page = (db.selectFrom(table.name) as unknown as Select)
    .where(sql<SqlBool>`${id} in (${ids})`)
    .limit(number($, 'limit'))
    .offset(number($, 'offset'))
  return selectColumns<R>(ordered(joinOwners(page, plan), plan), columns)
}

function firstOfPartition(
  db: Kysely<Schema>,
  context: Context,
  plan: Driven,
  partitions: Partitions,
): Expression<unknown> {
  const { driver, parts, table } = plan
  const within = sql<SqlBool>`${partitions.within(context)}`
  const partition = { ...driver, condition: () => within }
  const remaining = parts.filter((part) => part.name !== partitions.covers)
  const { link } = partitions
  if (link === undefined) {
    const items = db.selectFrom(table.name) as unknown as Select
    const query = plan.scope.kind === 'visible' ? joinOwners(items, plan) : items
    const narrow = withConditions(query, context, remaining, partition)
    return ordered(narrow, plan)
      .select(columnOf<number>(table, 'id').as('id'))
      .limit(number(context.$, 'partitionLimit'))
  }
  const linkId = sql.ref<number>(`linked.${link.item}`)
  const items = (db.selectFrom(`${link.table} as linked` as 'issues') as unknown as Select)
    .crossJoin(table.name as 'issues')
    .where(sql<SqlBool>`${columnOf(table, 'id')} = ${linkId}`) as unknown as Select
  const query = plan.scope.kind === 'visible' ? joinOwners(items, plan) : items
  return withConditions(query, context, remaining, partition)
    .orderBy(sql.ref('linked.createdAt'), plan.sort)
    .orderBy(linkId, 'desc')
    .select(linkId.as('id'))
    .limit(number(context.$, 'partitionLimit'))
}
