import { type Expression, sql } from 'kysely'
import { inList } from '../../../../platform/queries/sql.ts'
import type { Args, Context, Part } from '../parts/conditions.ts'
import type { Scope } from '../scope.ts'
import type { WorkItemRequest } from '../work-item-filter.ts'
import { type Condition, columnOf, type ListedTable } from '../work-item-table.ts'

/** A link table with the items in their order of creation. */
export interface Link {
  table: 'labelLinks' | 'issueAssignees' | 'mergeRequestAssignees'
  /** The column with the item's id. */
  item: string
}

/**
 * Ranges of an index that each give the items in their order: the first rows of each are merged.
 */
export interface Partitions {
  /** An estimate. */
  count: number
  /** A row with a `value` for each partition. */
  source: (context: Context) => Expression<unknown>
  /** Which items, or links, are in the partition with the value `partition.value`. */
  within: (context: Context) => Condition
  link?: Link
  /** The name of a part that all partitions together satisfy. */
  covers?: string
}

/** What a list is read by: the most selective of its conditions that an index serves. */
export interface Driver {
  name: string
  args?: Args
  /** Columns that may be looked up in an index. */
  indexed: readonly string[]
  /** Replaces the conditions that the driver satisfies. */
  condition?: (context: Context) => Condition
  answers?: (part: Part) => boolean
  /** Whether the items are read in their order of creation. */
  inOrder: boolean
  partitions?: Partitions
  /** Whether the matching items are clustered, so that a scan of all doesn't find them soon. */
  clustered?: true
}

/** The column of each order. */
export const orderColumns = {
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  relative_position: 'relativePosition',
} as const

/** Only the scope and, if items are read in this order, the state. */
export function scopeDriver(
  { owner }: ListedTable,
  scope: Scope,
  orderBy: WorkItemRequest['orderBy'],
): Driver {
  const state = orderBy === 'created_at' ? ['state'] : []
  const column = orderColumns[orderBy]
  if (scope.kind !== 'owners') {
    const project = scope.kind === 'project' ? ['projectId'] : []
    return { name: 'scope', indexed: [...project, ...state, column], inOrder: true }
  }
  const partitions = ownerPartitions(scope)
  return { name: 'scope', indexed: [owner.column, ...state, column], inOrder: false, partitions }
}

/** One partition per project or group. */
export function ownerPartitions({ ids }: Extract<Scope, { kind: 'owners' }>): Partitions {
  return {
    count: ids.length,
    source: ({ $, table: { owner } }) => {
      const isOne = inList(sql.ref('lived.id'), $('ownerIds') as readonly number[])
      return sql`select lived."id" as "value" from ${sql.table(owner.table)} as lived where ${isOne}`
    },
    within: ({ table }) => sql`${columnOf(table, table.owner.column)} = partition."value"`,
    covers: 'in-owners',
  }
}

/** Reads all items in order, for what is found soon that way. */
export function orderDriver(orderBy: WorkItemRequest['orderBy']): Driver {
  return { name: 'order', indexed: [orderColumns[orderBy]], inOrder: true }
}
