import { expressionBuilder, sql } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import type { WorkItemFilter } from '../work-item-filter.ts'
import { type Condition, columnOf } from '../work-item-table.ts'
import { type Context, number, type Part } from './conditions.ts'

const eb = expressionBuilder<Schema, never>()

/** Conditions on labels, milestone, weight and whether anybody is assigned. */
export function planningParts(filter: WorkItemFilter): Part[] {
  return [
    ...labelParts(filter),
    ...milestoneParts(filter),
    ...weightParts(filter),
    ...countPart('assignees', 'assigneeCount', filter.assigneeId),
  ]
}

/** `none` and `any` of what has its number on the item. */
function countPart(mark: 'labels' | 'assignees', name: string, sought: unknown): Part[] {
  if (sought !== 'none' && sought !== 'any') return []
  const has = sought === 'any'
  const where = ({ column }: Context) => eb(column<number>(name), has ? '>' : '=', 0)
  return [{ name: `${mark}-${sought}`, mark: [mark, has], where }]
}

/** `none` and `any` of what is a column of the item. */
function presencePart(mark: 'milestone' | 'weight', name: string, sought: 'none' | 'any'): Part {
  const has = sought === 'any'
  const where = ({ column }: Context) => eb(column(name), has ? 'is not' : 'is', null)
  return { name: `${mark}-${sought}`, mark: [mark, has], where }
}

function labelParts({ labels }: WorkItemFilter): Part[] {
  if (typeof labels !== 'object') return countPart('labels', 'labelCount', labels)
  return labels.is.map((title, index) => {
    const name = `label${index}`
    return { name, args: { [name]: title }, where: (context) => hasLabel(context, name) }
  })
}

/** From the item's few links to their labels; the other way there may be a label in each project. */
function hasLabel({ $, table }: Context, name: string): Condition {
  return sql`exists (select 1 from "labelLinks" as held cross join "labels" as worn
    where held."targetType" = ${sql.lit(table.type)} and held."targetId" = ${columnOf(table, 'id')}
    and worn."id" = held."labelId" and worn."title" = ${$(name)})`
}

function milestoneParts({ milestone }: WorkItemFilter): Part[] {
  if (milestone === undefined) return []
  if (typeof milestone !== 'object') return [presencePart('milestone', 'milestoneId', milestone)]
  const where = ({ $, column }: Context): Condition =>
    sql`exists (select 1 from "milestones" as goal
      where goal."id" = ${column('milestoneId')} and goal."title" = ${$('milestone')})`
  return [{ name: 'milestone', args: { milestone: milestone.is }, where }]
}

function weightParts({ weight }: WorkItemFilter): Part[] {
  if (weight === undefined) return []
  if (typeof weight !== 'object') return [presencePart('weight', 'weight', weight)]
  const where = ({ $, column }: Context) => eb(column<number>('weight'), '=', number($, 'weight'))
  return [{ name: 'weight', args: { weight: weight.is }, where }]
}
