import { type Expression, sql } from 'kysely'
import { inList } from '../../sql.ts'
import type { Args, Context, Part } from '../parts/conditions.ts'
import type { Scope } from '../scope.ts'
import type { WorkItemRequest } from '../work-item-filter.ts'
import { type Condition, columnOf } from '../work-item-table.ts'

/** A table of links in which the items stand in their order of creation. */
export interface Link {
  table: 'labelLinks' | 'issueAssignees' | 'mergeRequestAssignees'
  /** The column that names the item. */
  item: string
}

/**
 * Ranges of an index that each give the items in their order: the first of each are taken and merged.
 */
export interface Lanes {
  /** About how many. */
  count: number
  /** A row with a `value` for each. */
  source: (context: Context) => Expression<unknown>
  /** Which items, or links, are in the lane, whose value is `lane.value`. */
  within: (context: Context) => Condition
  link?: Link
  /** The name of a part that holds for all lanes together. */
  covers?: string
}

/** What a list is read by: the most selective of its conditions that an index serves. */
export interface Driver {
  name: string
  args?: Args
  /** Columns that may be looked up in an index. */
  bare: readonly string[]
  /** Stands in the query in place of the parts that it answers. */
  condition?: (context: Context) => Condition
  answers?: (part: Part) => boolean
  /** True where items come in the order of their creation as they are read. */
  inOrder: boolean
  lanes?: Lanes
  /** True where what it finds lies together, so that it is not met soon on the way through all. */
  clustered?: true
}

/** Nothing but the place and, where they come in this order, the state. */
export function placeDriver(scope: Scope, orderBy: WorkItemRequest['orderBy']): Driver {
  const state = orderBy === 'created_at' ? ['state'] : []
  const column = orderBy === 'created_at' ? 'createdAt' : 'updatedAt'
  if (scope.kind !== 'projects') {
    const project = scope.kind === 'project' ? ['projectId'] : []
    return { name: 'place', bare: [...project, ...state, column], inOrder: true }
  }
  const lanes = projectLanes(scope)
  return { name: 'place', bare: ['projectId', ...state, column], inOrder: false, lanes }
}

/** Each project by itself. */
export function projectLanes({ ids }: Extract<Scope, { kind: 'projects' }>): Lanes {
  return {
    count: ids.length,
    source: ({ $ }) => {
      const isOne = inList(sql.ref('lived.id'), $('projectIds') as readonly number[])
      return sql`select lived."id" as "value" from "projects" as lived where ${isOne}`
    },
    within: ({ table }) => sql`${columnOf(table, 'projectId')} = lane."value"`,
    covers: 'in-projects',
  }
}

/** The order of all items, for whatever is found soon in it. */
export function orderDriver(orderBy: WorkItemRequest['orderBy']): Driver {
  const column = orderBy === 'created_at' ? 'createdAt' : 'updatedAt'
  return { name: 'order', bare: [column], inOrder: true }
}
