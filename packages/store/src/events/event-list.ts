import type { CallerFacts, EventAction, EventTargetType } from '@stithy/core'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { countRows, type Page, type PageRequest, selectPage } from '../page.ts'
import type { Build, Param, Queries } from '../queries.ts'
import type { Row, Schema } from '../schema/schema.ts'
import type { StampName } from '../stamps.ts'
import { viewerArgs, viewerKind } from '../visibility.ts'
import { visibleEvents } from './event-visibility.ts'
import {
  coarseReach,
  type EventReach,
  hiddenEvents,
  isWholeReach,
  reachKey,
  withinReach,
} from './project-event-reach.ts'

/** What a list of events is narrowed to; instants in milliseconds. */
export interface EventFilter {
  action?: EventAction | undefined
  targetType?: EventTargetType | undefined
  /** The first instant that counts. */
  from?: number | undefined
  /** The first instant that counts no more. */
  until?: number | undefined
  sort: 'asc' | 'desc'
}

interface FilterArgs {
  action: string
  targetType: string
  from: number
  until: number
}

const columns = [
  'events.id',
  'events.projectId',
  'events.authorId',
  'events.action',
  'events.targetType',
  'events.targetId',
  'events.targetIid',
  'events.targetTitle',
  'events.commitCount',
  'events.pushAction',
  'events.refType',
  'events.commitFrom',
  'events.commitTo',
  'events.ref',
  'events.commitTitle',
  'events.createdAt',
  'events.noteableType',
  'events.noteableId',
] as const

type Select = SelectQueryBuilder<Schema, 'events', object>

/** What one user did, as far as the caller may see it. @param whose.today `YYYY-MM-DD` */
export async function listEventsOfAuthor(
  q: Queries,
  whose: { authorId: number; caller: CallerFacts; today: string },
  filter: EventFilter,
  request: PageRequest,
): Promise<Page<Row<'events'>>> {
  const kind = viewerKind(whose.caller)
  const { authorId } = whose
  const args = { ...filterArgs(filter), ...viewerArgs(whose.caller, whose.today), authorId }
  const from = (db: Kysely<Schema>, $: Param<typeof args>) =>
    narrow(db.selectFrom('events').where('events.authorId', '=', $('authorId')), filter, $)
      .leftJoin('projects', 'projects.id', 'events.projectId')
      .where(visibleEvents(kind, $)) as unknown as Select
  const shape = `events.ofAuthor|${kind}|${filterKey(filter)}`
  const stamp = ['events', 'projects', 'members', ...stampsOfItems] as const
  return list(q, { shape, args, from, stamp, filter, request })
}

/** What was done in a project, as far as it is within the caller's reach. */
export async function listEventsOfProject(
  q: Queries,
  whose: { projectId: number; userId: number; reach: EventReach },
  filter: EventFilter,
  request: PageRequest,
): Promise<Page<Row<'events'>>> {
  const { projectId, userId, reach } = whose
  const isWhole = isWholeReach(reach)
  // All who see everything share one count. The reach is decided, so no membership is looked at.
  const viewer = { userId: isWhole ? 0 : userId, today: '' }
  const args = { ...filterArgs(filter), ...viewer, projectId }
  const shown = (db: Kysely<Schema>, $: Param<typeof args>, within: EventReach) => {
    const all = db.selectFrom('events').where('events.projectId', '=', $('projectId'))
    return narrow(isWholeReach(within) ? all : all.where(withinReach(within, $)), filter, $)
  }
  const shape = `events.ofProject|${reachKey(reach)}|${filterKey(filter)}`
  const stamp = ['events', ...(isWhole ? [] : stampsOfItems)] as const
  const count: Build<typeof args, { total: number }> = (db, $) => {
    const hidden = hiddenEvents(db, reach, $).map((query) => narrow(query, filter, $))
    const totals = [shown(db, $, coarseReach(reach)), ...hidden].map(countOf)
    return db.selectNoFrom(sql<number>`${sql.join(totals, sql` - `)}`.as('total'))
  }
  const from = (db: Kysely<Schema>, $: Param<typeof args>) => shown(db, $, reach)
  return list(q, { shape, args, from, count, stamp, filter, request })
}

function countOf(query: Select) {
  return sql<number>`(${query.select((eb) => eb.fn.countAll<number>().as('total'))})`
}

/** What may hide or show events of things that have rights of their own. */
const stampsOfItems = ['issues', 'mergeRequests', 'snippets'] as const

interface EventList<A> {
  shape: string
  args: A
  from: (db: Kysely<Schema>, $: Param<A>) => Select
  /** How they are counted, where that is not by going through them. */
  count?: Build<A, { total: number }>
  /** What the number of events depends on. */
  stamp: readonly StampName[]
  filter: EventFilter
  request: PageRequest
}

async function list<A extends object>(
  q: Queries,
  { shape, args, from, count, stamp, filter: { sort }, request }: EventList<A>,
): Promise<Page<Row<'events'>>> {
  const total = await countRows(q, {
    shape: `${shape}|count`,
    args,
    stamp,
    build: count ?? ((db, $) => from(db, $).select((eb) => eb.fn.countAll<number>().as('total'))),
  })
  const items = await selectPage(q, request, {
    shape: `${shape}|${sort}`,
    args,
    from,
    order: (query) => query.orderBy('events.createdAt', sort).orderBy('events.id', sort),
    columns: (query) => query.select(columns),
    key: 'events.id',
  })
  return { items, total, ...request }
}

/** Every argument has some value; those that the filter leaves out stand in no query. */
function filterArgs(filter: EventFilter): FilterArgs {
  return {
    action: filter.action ?? '',
    targetType: filter.targetType ?? '',
    from: filter.from ?? 0,
    until: filter.until ?? 0,
  }
}

function filterKey(filter: EventFilter): string {
  const names = ['action', 'targetType', 'from', 'until'] as const
  return names.filter((name) => filter[name] !== undefined).join('+')
}

function narrow(query: Select, filter: EventFilter, $: Param<FilterArgs>): Select {
  let narrowed = query
  if (filter.action !== undefined) {
    narrowed = narrowed.where('events.action', '=', $('action') as EventAction)
  }
  if (filter.targetType !== undefined) {
    narrowed = narrowed.where('events.targetType', '=', $('targetType') as EventTargetType)
  }
  if (filter.from !== undefined) narrowed = narrowed.where('events.createdAt', '>=', $('from'))
  if (filter.until !== undefined) narrowed = narrowed.where('events.createdAt', '<', $('until'))
  return narrowed
}
