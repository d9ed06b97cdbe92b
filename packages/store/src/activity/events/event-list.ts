import type { CallerFacts } from '@stithy/core'
import { type Kysely, sql } from 'kysely'
import { viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Build, Param, Queries } from '../../platform/queries/queries.ts'
import { type Stamp, stampOf } from '../../platform/queries/stamps.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'
import {
  applyFilter,
  type EventFilter,
  type EventSelect,
  eventColumns,
  filterArgs,
  filterKey,
} from './event-filter.ts'
import { visibleEvents } from './event-visibility.ts'
import {
  accessibleEvents,
  accessKey,
  coarseAccess,
  type EventAccess,
  hiddenEvents,
  isFullAccess,
} from './project-event-access.ts'

/**
 * Lists what one user did, limited to what the caller may see.
 * @param scope.today `YYYY-MM-DD`
 */
export async function listEventsOfAuthor(
  q: Queries,
  scope: { authorId: number; caller: CallerFacts; today: string },
  filter: EventFilter,
  request: PageRequest,
): Promise<Page<Row<'events'>>> {
  const kind = viewerKind(scope.caller)
  const { authorId } = scope
  const args = { ...filterArgs(filter), ...viewerArgs(scope.caller, scope.today), authorId }
  const from = (db: Kysely<Schema>, $: Param<typeof args>) =>
    applyFilter(db.selectFrom('events').where('events.authorId', '=', $('authorId')), filter, $)
      .leftJoin('projects', 'projects.id', 'events.projectId')
      .where(visibleEvents(kind, $)) as unknown as EventSelect
  const shape = `events.ofAuthor|${kind}|${filterKey(filter)}`
  const stamp = ['events', 'projects', 'members', ...stampsOfItems] as const
  return list(q, { shape, args, from, stamp, filter, request })
}

/** Lists the events of a project that the caller may see. */
export async function listEventsOfProject(
  q: Queries,
  scope: { projectId: number; userId: number; access: EventAccess },
  filter: EventFilter,
  request: PageRequest,
): Promise<Page<Row<'events'>>> {
  const { projectId, userId, access } = scope
  const isWhole = isFullAccess(access)
  // All who see everything share one count. The access is decided, so memberships are not queried.
  const viewer = { userId: isWhole ? 0 : userId, today: '' }
  const args = { ...filterArgs(filter), ...viewer, projectId }
  const accessible = (db: Kysely<Schema>, $: Param<typeof args>, within: EventAccess) => {
    const all = db.selectFrom('events').where('events.projectId', '=', $('projectId'))
    return applyFilter(
      isFullAccess(within) ? all : all.where(accessibleEvents(within, $)),
      filter,
      $,
    )
  }
  const shape = `events.ofProject|${accessKey(access)}|${filterKey(filter)}`
  const items = isWhole ? [] : stampsOfItems.map((name) => stampOf(name, projectId))
  const stamp = [stampOf('events', projectId), ...items]
  const count: Build<typeof args, { total: number }> = (db, $) => {
    const hidden = hiddenEvents(db, access, $).map((query) => applyFilter(query, filter, $))
    const totals = [accessible(db, $, coarseAccess(access)), ...hidden].map(countOf)
    return db.selectNoFrom(sql<number>`${sql.join(totals, sql` - `)}`.as('total'))
  }
  const from = (db: Kysely<Schema>, $: Param<typeof args>) => accessible(db, $, access)
  return list(q, { shape, args, from, count, stamp, filter, request })
}

function countOf(query: EventSelect) {
  return sql<number>`(${query.select((eb) => eb.fn.countAll<number>().as('total'))})`
}

/**
 * Stamps that change when the visibility of events about items with their own rights may change.
 */
const stampsOfItems = ['issues', 'mergeRequests', 'snippets'] as const

interface EventList<A> {
  shape: string
  args: A
  from: (db: Kysely<Schema>, $: Param<A>) => EventSelect
  /** How the events are counted where counting the listed rows would be slow. */
  count?: Build<A, { total: number }>
  /** The stamps that the number of events depends on. */
  stamp: readonly Stamp[]
  filter: EventFilter
  request: PageRequest
}

function list<A extends object>(
  q: Queries,
  { shape, filter: { sort }, request, ...parts }: EventList<A>,
): Promise<Page<Row<'events'>>> {
  return listPage(q, request, {
    ...parts,
    shape: `${shape}|${sort}`,
    countShape: shape,
    order: (query) => query.orderBy('events.createdAt', sort).orderBy('events.id', sort),
    columns: (query) => query.select(eventColumns),
    key: 'events.id',
  })
}
