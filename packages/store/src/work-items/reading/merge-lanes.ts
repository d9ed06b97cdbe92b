import { type Expression, type Kysely, type SqlBool, sql } from 'kysely'
import type { Buildable, Param, Queries } from '../../queries.ts'
import type { Schema } from '../../schema/schema.ts'
import { type Args, type Context, number } from '../parts/conditions.ts'
import type { WorkItemPlan } from '../plan.ts'
import { columnOf, type Select } from '../work-item-table.ts'
import type { Driver, Lanes } from './driver.ts'
import { contextOf, joined, narrowed, ordered, shown } from './select.ts'

type Driven = WorkItemPlan & { driver: Driver }

/** The first of each lane, of which those of the page are picked. */
export function mergeLanes<R>(
  q: Queries,
  db: Kysely<Schema>,
  $: Param<Args>,
  plan: Driven,
  lanes: Lanes,
  columns: readonly string[],
): Buildable<R> {
  const { table } = plan
  const context = contextOf(q, $, plan, plan.driver)
  const first = firstOfLane(db, context, plan, lanes)
  const source = lanes.source(context)
  const id = columnOf<number>(table, 'id')
  const ids =
    q.dialect === 'sqlite'
      ? sql`select top."id" from (${source}) as lane cross join ${sql.table(table.name)} as top
          where top."id" in (${first})`
      : sql`select top."id" from (${source}) as lane cross join lateral (${first}) as top`
  const page = (db.selectFrom(table.name) as unknown as Select)
    .where(sql<SqlBool>`${id} in (${ids})`)
    .limit(number($, 'limit'))
    .offset(number($, 'offset'))
  return shown<R>(ordered(joined(page, plan), plan), columns)
}

function firstOfLane(
  db: Kysely<Schema>,
  context: Context,
  plan: Driven,
  lanes: Lanes,
): Expression<unknown> {
  const { driver, parts, table } = plan
  const within = sql<SqlBool>`${lanes.within(context)}`
  const lane = { ...driver, condition: () => within }
  const left = parts.filter((part) => part.name !== lanes.covers)
  const { link } = lanes
  if (link === undefined) {
    const items = db.selectFrom(table.name) as unknown as Select
    const query = plan.scope.kind === 'visible' ? joined(items, plan) : items
    const narrow = narrowed(query, context, left, lane)
    return ordered(narrow, plan)
      .select(columnOf<number>(table, 'id').as('id'))
      .limit(number(context.$, 'laneLimit'))
  }
  const linkId = sql.ref<number>(`tie.${link.item}`)
  const items = (db.selectFrom(`${link.table} as tie` as 'issues') as unknown as Select)
    .crossJoin(table.name as 'issues')
    .where(sql<SqlBool>`${columnOf(table, 'id')} = ${linkId}`) as unknown as Select
  const query = plan.scope.kind === 'visible' ? joined(items, plan) : items
  return narrowed(query, context, left, lane)
    .orderBy(sql.ref('tie.createdAt'), plan.sort)
    .orderBy(linkId, 'desc')
    .select(linkId.as('id'))
    .limit(number(context.$, 'laneLimit'))
}
