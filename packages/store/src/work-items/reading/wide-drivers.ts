import { sql } from 'kysely'
import type { Queries } from '../../queries.ts'
import type { Context, Part } from '../parts/conditions.ts'
import { type Mark, markNumbers, marksOf, type WantedMarks } from '../parts/marks.ts'
import type { Scope } from '../scope.ts'
import type { WorkItemFilter, WorkItemRequest } from '../work-item-filter.ts'
import { columnOf, type WorkItemTable } from '../work-item-table.ts'
import { type Driver, type Lanes, projectLanes } from './driver.ts'
import { titledDriver } from './titled-drivers.ts'

/**
 * The driver of a list that no `narrowDriver` reads; undefined where its place alone narrows it, and
 * `nothing` where no item can match. At most one query, for what has a title that many things may share.
 */
export async function findWideDriver(
  q: Queries,
  table: WorkItemTable,
  scope: Scope,
  { filter, orderBy }: WorkItemRequest,
): Promise<Driver | 'nothing' | undefined> {
  const numbered = numberDriver(table, scope, filter)
  if (numbered !== undefined) return numbered
  const titled = await titledDriver(q, table, scope, filter)
  if (titled !== undefined) return titled
  return markDriver(table, scope, filter) ?? rangeDriver(scope, filter, orderBy)
}

/** In known projects an issue for each of them; elsewhere each number is a lane. */
function numberDriver(
  { hasMarks }: WorkItemTable,
  scope: Scope,
  { iids = [] }: WorkItemFilter,
): Driver | undefined {
  if (iids.length === 0) return undefined
  if (scope.kind !== 'visible' || !hasMarks) {
    const project = scope.kind === 'visible' ? [] : ['projectId']
    return { name: 'iids', bare: [...project, 'iid'], inOrder: false }
  }
  const values = ({ $, dialect }: Context) =>
    dialect === 'sqlite'
      ? sql`select distinct value as "value" from json_each(${$('iids')})`
      : sql`select distinct unnest(${$('iids')}::bigint[]) as "value"`
  const lanes: Lanes = {
    count: new Set(iids).size,
    source: values,
    within: ({ table }) => sql`${columnOf(table, 'iid')} = lane."value"`,
    covers: 'iids',
  }
  // Low numbers are the oldest of their projects.
  return { name: 'iids', bare: ['iid', 'createdAt'], inOrder: false, lanes, clustered: true }
}

function confidentialDriver(scope: Scope): Driver {
  const project = scope.kind === 'visible' ? [] : ['projectId']
  const driver = { name: 'confidential', bare: [...project, 'confidential', 'createdAt'] }
  if (scope.kind !== 'projects') return { ...driver, inOrder: true }
  return { ...driver, inOrder: false, lanes: projectLanes(scope) }
}

/** None and Any, by the index of marks, and the few confidential ones by theirs. */
function markDriver(
  table: WorkItemTable,
  scope: Scope,
  filter: WorkItemFilter,
): Driver | undefined {
  if (!table.hasMarks) return undefined
  if (filter.confidential) return confidentialDriver(scope)
  const project = scope.kind === 'visible' ? [] : ['projectId']
  const wanted = wantedMarks(filter)
  if (Object.keys(wanted).length === 0) return undefined
  const numbers = markNumbers(wanted)
  const answers = ({ mark }: Part) => mark !== undefined && wanted[mark[0]] === mark[1]
  const condition = () =>
    sql<never>`${marksOf(table)} in (${sql.join(numbers.map((number) => sql.lit(number)))})`
  const bare = [...project, 'createdAt']
  const lanes =
    scope.kind === 'projects'
      ? undefined
      : markLanes(table, numbers, typeof filter.weight === 'object')
  return { name: 'marks', bare, inOrder: false, condition, answers, ...(lanes && { lanes }) }
}

function markLanes(table: WorkItemTable, numbers: readonly number[], weighed: boolean): Lanes {
  const values = numbers.map((number) => sql`select ${sql.lit(number)} as "value"`)
  return {
    // Of those that have a weight, few have the one that is looked for.
    count: numbers.length * (weighed ? 5 : 1),
    source: () => sql.join(values, sql` union all `),
    within: () => sql`${marksOf(table)} = lane."value"`,
  }
}

/** What must be there and what must not; a weight that is looked for is there, too. */
function wantedMarks(filter: WorkItemFilter): WantedMarks {
  const sought = {
    labels: filter.labels,
    assignees: filter.assigneeId,
    milestone: filter.milestone,
    weight: filter.weight,
  }
  const wanted: WantedMarks = {}
  for (const [name, value] of Object.entries(sought)) {
    const isOther = typeof value === 'object' && name !== 'weight'
    if (value !== undefined && !isOther) wanted[name as Mark] = value !== 'none'
  }
  return wanted
}

/** A range of the date that the list is not ordered by; worth it where it holds few items. */
function rangeDriver(
  scope: Scope,
  filter: WorkItemFilter,
  orderBy: WorkItemRequest['orderBy'],
): Driver | undefined {
  const { createdFrom, createdUntil, updatedFrom, updatedUntil } = filter
  const project = scope.kind === 'visible' ? [] : ['projectId']
  const [from, until, column] =
    orderBy === 'created_at'
      ? [updatedFrom, updatedUntil, 'updatedAt']
      : [createdFrom, createdUntil, 'createdAt']
  if (from === undefined && until === undefined) return undefined
  return { name: `${column}-range`, bare: [...project, column], inOrder: false }
}
