import type { CallerFacts, EventAction, EventTargetType } from '@stithy/core'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { countRows, type Page, type PageRequest, selectPage } from '../page.ts'
import type { Param, Queries } from '../queries.ts'
import type { Row, Schema } from '../schema/schema.ts'
import { viewerArgs, viewerKind } from '../visibility.ts'
import { notAboutCode, notAboutMergeRequests, visibleEvents } from './event-visibility.ts'

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

/**
 * What one user did, as far as the caller may see it: nothing of hidden projects, no pushes of and comments
 * on hidden code, and no hidden merge requests. @param today `YYYY-MM-DD`
 */
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
  return list(q, `events.ofAuthor|${kind}|${filterKey(filter)}`, args, from, filter, request)
}

/**
 * What was done in a project that the caller may read; `withCode` shows what is about code too,
 * `withMergeRequests` what is about merge requests.
 */
export async function listEventsOfProject(
  q: Queries,
  whose: { projectId: number; withCode: boolean; withMergeRequests: boolean },
  filter: EventFilter,
  request: PageRequest,
): Promise<Page<Row<'events'>>> {
  const { projectId, withCode, withMergeRequests } = whose
  const args = { ...filterArgs(filter), projectId }
  const from = (db: Kysely<Schema>, $: Param<typeof args>) => {
    const all = db.selectFrom('events').where('events.projectId', '=', $('projectId'))
    const shown = withCode ? all : all.where(notAboutCode())
    return narrow(withMergeRequests ? shown : shown.where(notAboutMergeRequests()), filter, $)
  }
  const hidden = `${withCode ? '' : 'code'}+${withMergeRequests ? '' : 'mergeRequests'}`
  const shape = `events.ofProject|${hidden}|${filterKey(filter)}`
  return list(q, shape, args, from, filter, request)
}

async function list<A extends object>(
  q: Queries,
  shape: string,
  args: A,
  from: (db: Kysely<Schema>, $: Param<A>) => Select,
  { sort }: EventFilter,
  request: PageRequest,
): Promise<Page<Row<'events'>>> {
  const total = await countRows(q, {
    shape: `${shape}|count`,
    args,
    stamp: ['events', 'projects', 'members'],
    build: (db, $) => from(db, $).select((eb) => eb.fn.countAll<number>().as('total')),
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
