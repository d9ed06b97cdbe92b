import { sql } from 'kysely'
import type { Queries } from '../../../../platform/queries/queries.ts'
import { mayListApprover } from '../parts/approver-parts.ts'
import type { Args, Context, Part } from '../parts/conditions.ts'
import { presenceBitsOf, presenceNumbers, type RequiredPresence } from '../parts/presence-bits.ts'
import type { Scope } from '../scope.ts'
import type { ListRequest, WorkItemFilter, WorkItemRequest } from '../work-item-filter.ts'
import { columnOf, type ListedTable } from '../work-item-table.ts'
import { type Driver, ownerPartitions, type Partitions } from './driver.ts'
import { titledDriver } from './titled-drivers.ts'

/**
 * The driver of a list without a `narrowDriver`; undefined if only its scope limits it, `nothing`
 * if no item can match. At most one query, to look up a title.
 */
export async function findWideDriver(
  q: Queries,
  table: ListedTable,
  scope: Scope,
  { filter, orderBy }: ListRequest<unknown>,
): Promise<Driver | 'nothing' | undefined> {
  const numbered = numberDriver(table, scope, filter)
  if (numbered !== undefined) return numbered
  const fromBranch = sourceBranchDriver(scope, filter)
  if (fromBranch !== undefined) return fromBranch
  const titled = await titledDriver(q, table, scope, filter)
  if (titled !== undefined) return titled
  return (
    approverDriver(scope, filter) ??
    presenceDriver(table, scope, filter) ??
    branchDriver(scope, filter) ??
    rangeDriver(table, scope, filter, orderBy)
  )
}

/** In known projects one item per project and iid; elsewhere each iid is a partition. */
function numberDriver(
  { hasNumberIndex }: ListedTable,
  scope: Scope,
  { iids = [] }: WorkItemFilter,
): Driver | undefined {
  if (iids.length === 0) return undefined
  if (scope.kind !== 'visible' || !hasNumberIndex) {
    const project = scope.kind === 'visible' ? [] : ['projectId']
    return { name: 'iids', indexed: [...project, 'iid'], inOrder: false }
  }
  const values = ({ $, dialect }: Context) =>
    dialect === 'sqlite'
      ? sql`select distinct value as "value" from json_each(${$('iids')})`
      : sql`select distinct unnest(${$('iids')}::bigint[]) as "value"`
  const partitions: Partitions = {
    count: new Set(iids).size,
    source: values,
    within: ({ table }) => sql`${columnOf(table, 'iid')} = partition."value"`,
    covers: 'iids',
  }
  // Low iids are the oldest items of their projects.
  return {
    name: 'iids',
    indexed: ['iid', 'createdAt'],
    inOrder: false,
    partitions,
    clustered: true,
  }
}

/** By an index of these columns and then the order of creation, in one project or in all. */
function orderedDriver(name: string, scope: Scope, column: string): Driver {
  const project = scope.kind === 'visible' ? [] : ['projectId']
  const driver = { name, indexed: [...project, column, 'createdAt'] }
  if (scope.kind !== 'owners') return { ...driver, inOrder: true }
  return { ...driver, inOrder: false, partitions: ownerPartitions(scope) }
}

/** A branch that merge requests come from; few have the same. */
function sourceBranchDriver(scope: Scope, { sourceBranch }: WorkItemFilter): Driver | undefined {
  if (sourceBranch === undefined) return undefined
  return orderedDriver('source-branch', scope, 'sourceBranch')
}

/** A fork that merge requests come from, or a branch that they go to, which may be that of most. */
function branchDriver(
  scope: Scope,
  { sourceProjectId, targetBranch }: WorkItemFilter,
): Driver | undefined {
  const isFork = scope.kind !== 'project' || scope.projectId !== sourceProjectId
  if (sourceProjectId !== undefined && isFork) {
    return { name: 'source-project', indexed: ['sourceProjectId'], inOrder: false }
  }
  if (targetBranch === undefined) return undefined
  if (scope.kind === 'visible') return orderedDriver('target-branch', scope, 'targetBranch')
  return { name: 'target-branch', indexed: ['projectId', 'targetBranch'], inOrder: false }
}

/**
 * The rules that list an approver; where the caller sees most of the instance also those that list
 * any, which few merge requests have if approvals are not used.
 */
function approverDriver(scope: Scope, { approverIds }: WorkItemFilter): Driver | undefined {
  if (approverIds === undefined || approverIds === 'none') return undefined
  if (approverIds === 'any' && scope.kind !== 'visible') return undefined
  if (approverIds !== 'any' && approverIds.is.length === 0) return undefined
  const [approverId] = approverIds === 'any' ? [] : approverIds.is
  const isGiven = approverId !== undefined
  const args: Args = isGiven ? { approverId } : {}
  const condition = (context: Context) => mayListApprover(context, isGiven)
  return { name: `approver-${isGiven}`, args, indexed: [], inOrder: false, condition }
}

/** None and Any, by the index of presence bits; rare flags by theirs. */
function presenceDriver(
  table: ListedTable,
  scope: Scope,
  filter: WorkItemFilter,
): Driver | undefined {
  if (filter.confidential) return orderedDriver('confidential', scope, 'confidential')
  if (filter.wip) return orderedDriver('wip', scope, 'workInProgress')
  const project = scope.kind === 'visible' ? [] : [table.owner.column]
  const required = requiredPresence(table, filter)
  if (Object.keys(required).length === 0) return undefined
  const numbers = presenceNumbers(table, required)
  const answers = ({ presence }: Part) =>
    presence !== undefined && required[presence[0]] === presence[1]
  const condition = () =>
    sql<never>`${presenceBitsOf(table)} in (${sql.join(numbers.map((number) => sql.lit(number)))})`
  const indexed = [...project, 'createdAt']
  const partitions =
    scope.kind === 'owners'
      ? undefined
      : presencePartitions(table, numbers, typeof filter.weight === 'object')
  return {
    name: 'presence',
    indexed,
    inOrder: false,
    condition,
    answers,
    ...(partitions && { partitions }),
  }
}

function presencePartitions(
  table: ListedTable,
  numbers: readonly number[],
  weighed: boolean,
): Partitions {
  const values = numbers.map((number) => sql`select ${sql.lit(number)} as "value"`)
  return {
    // Of the items with a weight, few have the requested one.
    count: numbers.length * (weighed ? 5 : 1),
    source: () => sql.join(values, sql` union all `),
    within: () => sql`${presenceBitsOf(table)} = partition."value"`,
  }
}

/** The required presence bits of the index; a requested weight implies its bit. */
function requiredPresence({ presence }: ListedTable, filter: WorkItemFilter): RequiredPresence {
  const filters = {
    labels: filter.labels,
    assignees: filter.assigneeId,
    milestone: filter.milestone,
    weight: filter.weight,
  }
  const required: RequiredPresence = {}
  for (const name of presence) {
    const value = filters[name]
    const isOther = typeof value === 'object' && name !== 'weight'
    if (value !== undefined && !isOther) required[name] = value !== 'none'
  }
  return required
}

/** A range of the date that the list is not ordered by; worthwhile if it holds few items. */
function rangeDriver(
  { owner }: ListedTable,
  scope: Scope,
  filter: WorkItemFilter,
  orderBy: WorkItemRequest['orderBy'],
): Driver | undefined {
  const { createdFrom, createdUntil, updatedFrom, updatedUntil } = filter
  const project = scope.kind === 'visible' ? [] : [owner.column]
  const [from, until, column] =
    orderBy === 'created_at'
      ? [updatedFrom, updatedUntil, 'updatedAt']
      : [createdFrom, createdUntil, 'createdAt']
  if (from === undefined && until === undefined) return undefined
  return { name: `${column}-range`, indexed: [...project, column], inOrder: false }
}
