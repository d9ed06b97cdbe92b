import { sql } from 'kysely'
import type { ViewerArgs } from '../../../directory/members/memberships.ts'
import { viewerArgs } from '../../../directory/members/visibility.ts'
import { countRows } from '../../../platform/queries/page.ts'
import type { Queries } from '../../../platform/queries/queries.ts'
import { readStamps, type Stamp, stampOf, type Versions } from '../../../platform/queries/stamps.ts'
import { groupBounds } from './group-scope.ts'
import { approverParts } from './parts/approver-parts.ts'
import { branchParts } from './parts/branch-parts.ts'
import { type Args, argsOf, type Part } from './parts/conditions.ts'
import { peopleParts, reactionParts } from './parts/people-parts.ts'
import { plainParts, searchParts } from './parts/plain-parts.ts'
import { planningParts } from './parts/planning-parts.ts'
import type { Driver } from './reading/driver.ts'
import { narrowDriver } from './reading/narrow-drivers.ts'
import { findWideDriver } from './reading/wide-drivers.ts'
import {
  type Bounds,
  lastItemStamps,
  plainBounds,
  resolveBounds,
  type Scope,
  scopeStamps,
} from './scope.ts'
import type {
  EpicListRequest,
  ListRequest,
  WorkItemFilter,
  WorkItemRequest,
} from './work-item-filter.ts'
import type { EpicTable, ListedTable, WorkItemTable } from './work-item-table.ts'

/** A list with everything that is resolved before it is read. */
export interface WorkItemPlan {
  table: ListedTable
  scope: Scope
  /** Conditions for the scope and the caller; the others are filters. */
  bounds: readonly Part[]
  parts: readonly Part[]
  /** Undefined if only the scope limits the list. */
  driver: Driver | undefined
  orderBy: WorkItemRequest['orderBy']
  sort: WorkItemRequest['sort']
  viewer: ViewerArgs
  args: Args
  /** The stamps, as far as they were read while planning. */
  versions: Versions | undefined
}

export interface PlanOptions {
  /** Whether the projects of the scope are listed, if they are few, even if few items can match. */
  resolves?: boolean
}

/**
 * Plans how a list is read; undefined if it must be empty. One query for the stamps and, if these
 * have changed or a title has to be looked up, at most three more; none for a single project.
 */
export async function planWorkItems(
  q: Queries,
  table: WorkItemTable,
  requested: WorkItemRequest,
  { resolves = false }: PlanOptions = {},
): Promise<WorkItemPlan | undefined> {
  const versions = await readVersions(q, table, requested)
  const request = { ...requested, filter: await withImplied(q, table, requested.filter, versions) }
  const plain = plainBounds(table, request)
  const narrow = narrowDriver(q.dialect, table, request.filter)
  if (narrow !== undefined && !resolves) return planOf(table, request, plain, narrow, versions)
  const bounds = await resolveBounds(q, table, request, versions ?? {})
  return planWithin(q, table, request, bounds, narrow, versions)
}

/**
 * Plans how a list of epics is read; undefined if it must be empty. Two queries, for the stamps and
 * the groups, and one more if a title has to be looked up.
 */
export async function planEpics(
  q: Queries,
  table: EpicTable,
  requested: EpicListRequest,
): Promise<WorkItemPlan | undefined> {
  const versions = q.counts === undefined ? undefined : await readStamps(q, [table.name])
  const request = { ...requested, filter: await withImplied(q, table, requested.filter, versions) }
  const bounds = await groupBounds(q, table, request)
  const narrow = narrowDriver(q.dialect, table, request.filter)
  return planWithin(q, table, request, bounds, narrow, versions)
}

/** Plans a list whose bounds are known. */
async function planWithin(
  q: Queries,
  table: ListedTable,
  request: ListRequest<unknown>,
  bounds: Bounds,
  narrow: Driver | undefined,
  versions: Versions | undefined,
): Promise<WorkItemPlan | undefined> {
  if (bounds.scope.kind === 'owners' && bounds.scope.ids.length === 0) return undefined
  const driver = narrow ?? (await findWideDriver(q, table, bounds.scope, request))
  return driver === 'nothing' ? undefined : planOf(table, request, bounds, driver, versions)
}

/**
 * An item last updated before a timestamp was also created before it, which allows a seek in the
 * order of creation; unless the table has items that violate this. One query, cached.
 */
async function withImplied(
  q: Queries,
  table: ListedTable,
  filter: WorkItemFilter,
  versions: Versions | undefined,
): Promise<WorkItemFilter> {
  const { updatedUntil, createdUntil } = filter
  if (updatedUntil === undefined || createdUntil !== undefined) return filter
  const early = await countRows(q, {
    shape: `${table.name}.early`,
    args: {},
    stamp: [table.name],
    versions,
    build: (db) =>
      db
        .selectFrom(table.name)
        .where('updatedAt', '<', sql.ref<number>('createdAt'))
        .select((eb) => eb.fn.countAll<number>().as('total')),
  })
  return early === 0 ? { ...filter, createdUntil: updatedUntil } : filter
}

/** The stamps of everything that the list depends on; undefined if nothing is cached. */
async function readVersions(
  q: Queries,
  table: WorkItemTable,
  request: WorkItemRequest,
): Promise<Versions | undefined> {
  const { scope, filter } = request
  if (q.counts === undefined) return undefined
  const named = filter.authorUsername !== undefined || filter.assigneeUsernames !== undefined
  const users: readonly Stamp[] = named ? ['users'] : []
  if (scope.kind === 'project') {
    return readStamps(q, [stampOf(table.name, scope.projectId), table.name, ...users])
  }
  const items = new Set([table.name, ...lastItemStamps(q, table, request)])
  return readStamps(q, [...items, ...users, ...scopeStamps])
}

function planOf(
  table: ListedTable,
  request: ListRequest<unknown>,
  { scope, parts: bounds }: Bounds,
  driver: Driver | undefined,
  versions: Versions | undefined,
): WorkItemPlan {
  const parts = [...bounds, ...filterParts(request.filter)]
  const viewer = viewerArgs(request.caller, request.today)
  const args: Args = { ...argsOf(parts, viewer), ...driver?.args }
  const { orderBy, sort } = request
  return { table, scope, bounds, parts, driver, orderBy, sort, viewer, args, versions }
}

function filterParts(filter: WorkItemFilter): Part[] {
  return [
    ...plainParts(filter),
    ...branchParts(filter),
    ...approverParts(filter),
    ...peopleParts(filter),
    ...planningParts(filter),
    ...reactionParts(filter),
    ...searchParts(filter),
  ]
}
