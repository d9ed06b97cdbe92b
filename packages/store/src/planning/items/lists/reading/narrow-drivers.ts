import { sql } from 'kysely'
import type { Queries } from '../../../../platform/queries/queries.ts'
import type { Context, Part } from '../parts/conditions.ts'
import { reactionsOf, requiredAssignees } from '../parts/people-parts.ts'
import { textSearch } from '../parts/plain-parts.ts'
import type { WorkItemFilter } from '../work-item-filter.ts'
import { type Condition, columnOf, type ListedTable } from '../work-item-table.ts'
import type { Driver } from './driver.ts'

/** Drivers for conditions on one user, which match few items in any scope. */
export function narrowDriver(
  dialect: Queries['dialect'],
  table: ListedTable,
  filter: WorkItemFilter,
): Driver | undefined {
  const search = dialect !== 'sqlite' ? undefined : textSearch(filter)
  if (search !== undefined) {
    const answers = (part: Part) => part.name.startsWith('long')
    return { name: 'texts', indexed: [], inOrder: false, answers, ...search }
  }
  return reactionDriver(filter) ?? assigneeDriver(table, filter) ?? authorDriver(filter)
}

function reactionDriver({ reaction }: WorkItemFilter): Driver | undefined {
  if (reaction === undefined || reaction === 'none') return undefined
  const condition = (context: Context): Condition => {
    const given = reactionsOf(context, typeof reaction === 'object').select('given.targetId')
    return sql`${columnOf(context.table, 'id')} in (${given})`
  }
  const answers = (part: Part) => part.name.startsWith('reaction')
  return { name: 'reactions', indexed: [], inOrder: false, condition, answers }
}

function assigneeDriver(table: ListedTable, filter: WorkItemFilter): Driver | undefined {
  const [first] = requiredAssignees(filter)
  if (first === undefined || !('assignees' in table)) return undefined
  const condition = (context: Context): Condition => {
    return sql`${columnOf(table, 'id')} in (select holder.${sql.ref(table.assigned)}
      from ${sql.table(table.assignees)} as holder where holder."userId" = ${first.userId(context)})`
  }
  return {
    name: 'assignee',
    indexed: [],
    inOrder: false,
    condition,
    answers: (part) => part.name === first.name,
    partitions: {
      count: 1,
      source: (context) => sql`select cast(${first.userId(context)} as bigint) as "value"`,
      within: () => sql`linked."userId" = partition."value"`,
      link: { table: table.assignees, item: table.assigned },
    },
  }
}

function authorDriver(filter: WorkItemFilter): Driver | undefined {
  const { createdById, authorId, authorUsername } = filter
  const isAsked = (createdById ?? authorId ?? authorUsername) !== undefined
  return isAsked ? { name: 'author', indexed: ['authorId', 'createdAt'], inOrder: true } : undefined
}
