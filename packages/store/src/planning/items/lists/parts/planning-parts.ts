import { expressionBuilder, sql } from 'kysely'
import { inList } from '../../../../platform/queries/sql.ts'
import type { Schema } from '../../../../platform/schema/schema.ts'
import type { WorkItemFilter } from '../work-item-filter.ts'
import { type Condition, columnOf } from '../work-item-table.ts'
import { type Context, number, type Part, words } from './conditions.ts'

const eb = expressionBuilder<Schema, never>()

/** Conditions on labels, milestone, weight and whether there are assignees. */
export function planningParts(filter: WorkItemFilter): Part[] {
  return [
    ...labelParts(filter),
    ...milestoneParts(filter),
    ...weightParts(filter),
    ...countPart('assignees', 'assigneeCount', filter.assigneeId),
  ]
}

/** `none` and `any` of what the item has a counter of. */
function countPart(bit: 'labels' | 'assignees', name: string, filter: unknown): Part[] {
  if (filter !== 'none' && filter !== 'any') return []
  const has = filter === 'any'
  const where = ({ column }: Context) => eb(column<number>(name), has ? '>' : '=', 0)
  return [{ name: `${bit}-${filter}`, presence: [bit, has], where }]
}

/** `none` and `any` of a column of the item. */
function presencePart(bit: 'milestone' | 'weight', name: string, filter: 'none' | 'any'): Part {
  const has = filter === 'any'
  const where = ({ column }: Context) => eb(column(name), has ? 'is not' : 'is', null)
  return { name: `${bit}-${filter}`, presence: [bit, has], where }
}

/** With more labels they are one condition: each would be a query of its own, and each deeper. */
const maxLabelParts = 8

function labelParts({ labels }: WorkItemFilter): Part[] {
  if (typeof labels !== 'object') return countPart('labels', 'labelCount', labels)
  if (labels.is.length > maxLabelParts) {
    const args = { labelTitles: labels.is, labelTotal: labels.is.length }
    return [{ name: 'labels', args, where: hasLabels }]
  }
  return labels.is.map((title, index) => {
    const name = `label${index}`
    return { name, args: { [name]: title }, where: (context) => hasLabel(context, name) }
  })
}

/**
 * Joins from the item's few links to their labels; in the other direction there may be a label in
 * each project.
 */
function hasLabel({ $, table }: Context, name: string): Condition {
  return sql`exists (select 1 from "labelLinks" as held cross join "labels" as label
    where held."targetType" = ${sql.lit(table.type)} and held."targetId" = ${columnOf(table, 'id')}
    and label."id" = held."labelId" and label."title" = ${$(name)})`
}

/** The same for many labels, of which an item has few. */
function hasLabels({ $, table }: Context): Condition {
  const isNamed = inList(sql.ref<string>('label.title'), words($, 'labelTitles'))
  return sql`(select count(distinct label."title") from "labelLinks" as held
    cross join "labels" as label
    where held."targetType" = ${sql.lit(table.type)} and held."targetId" = ${columnOf(table, 'id')}
    and label."id" = held."labelId" and ${isNamed}) = ${number($, 'labelTotal')}`
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
