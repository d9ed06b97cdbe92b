import { sql } from 'kysely'
import type { ViewerArgs } from '../memberships.ts'
import { countRows } from '../page.ts'
import type { Queries } from '../queries.ts'
import { readStamps } from '../stamps.ts'
import { viewerArgs } from '../visibility.ts'
import { type Args, argsOf, type Part } from './parts/conditions.ts'
import { peopleParts, reactionParts } from './parts/people-parts.ts'
import { plainParts, searchParts } from './parts/plain-parts.ts'
import { planningParts } from './parts/planning-parts.ts'
import type { Driver } from './reading/driver.ts'
import { narrowDriver } from './reading/narrow-drivers.ts'
import { findWideDriver } from './reading/wide-drivers.ts'
import {
  type Bounds,
  plainBounds,
  resolveBounds,
  type Scope,
  scopeStamps,
  type Versions,
} from './scope.ts'
import type { WorkItemFilter, WorkItemRequest } from './work-item-filter.ts'
import type { WorkItemTable } from './work-item-table.ts'

/** A list with all that was found out about it before it is read. */
export interface WorkItemPlan {
  table: WorkItemTable
  scope: Scope
  /** Those that keep the list to its place and its caller; the others filter it. */
  bounds: readonly Part[]
  parts: readonly Part[]
  /** Undefined where only the place narrows the list. */
  driver: Driver | undefined
  orderBy: WorkItemRequest['orderBy']
  sort: WorkItemRequest['sort']
  viewer: ViewerArgs
  args: Args
  /** What was read of the stamps on the way. */
  versions: Versions | undefined
}

/**
 * Works out how a list is read; undefined where nothing can be in it. One query for the stamps and, where these
 * have changed or something is looked for by its title, at most three more; none for a single project.
 */
export async function planWorkItems(
  q: Queries,
  table: WorkItemTable,
  asked: WorkItemRequest,
): Promise<WorkItemPlan | undefined> {
  const versions = await readVersions(q, table, asked)
  const request = { ...asked, filter: await withImplied(q, table, asked.filter, versions) }
  const plain = plainBounds(table, request)
  const narrow = narrowDriver(q.dialect, table, request.filter)
  if (narrow !== undefined) return planOf(table, request, plain, narrow, versions)
  const bounds = await resolveBounds(q, table, request, versions ?? {})
  if (bounds.scope.kind === 'projects' && bounds.scope.ids.length === 0) return undefined
  const driver = await findWideDriver(q, table, bounds.scope, request)
  return driver === 'nothing' ? undefined : planOf(table, request, bounds, driver, versions)
}

/**
 * What was last changed before an instant was created before it, too, which leads to where it is in the order
 * of creation; unless the table knows items that say otherwise. One query, remembered.
 */
async function withImplied(
  q: Queries,
  table: WorkItemTable,
  filter: WorkItemFilter,
  versions: Versions | undefined,
): Promise<WorkItemFilter> {
  const { updatedUntil, createdUntil } = filter
  if (updatedUntil === undefined || createdUntil !== undefined || !table.hasMarks) return filter
  const early = await countRows(q, {
    shape: `${table.name}.early`,
    args: {},
    stamp: table.name,
    versions,
    build: (db) =>
      db
        .selectFrom(table.name)
        .where('updatedAt', '<', sql.ref<number>('createdAt'))
        .select((eb) => eb.fn.countAll<number>().as('total')),
  })
  return early === 0 ? { ...filter, createdUntil: updatedUntil } : filter
}

/** The stamps of everything that the list depends on; undefined where nothing is remembered. */
async function readVersions(
  q: Queries,
  table: WorkItemTable,
  { place, filter }: WorkItemRequest,
): Promise<Versions | undefined> {
  if (q.counts === undefined) return undefined
  const named = filter.authorUsername !== undefined || filter.assigneeUsernames !== undefined
  const users = named ? (['users'] as const) : []
  const around = place.kind === 'project' ? [] : scopeStamps
  return readStamps(q, [table.name, ...users, ...around])
}

function planOf(
  table: WorkItemTable,
  request: WorkItemRequest,
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
    ...peopleParts(filter),
    ...planningParts(filter),
    ...reactionParts(filter),
    ...searchParts(filter),
  ]
}
