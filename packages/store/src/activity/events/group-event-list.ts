import type { CallerFacts } from '@stithy/core'
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import {
  type ViewerKind,
  viewerArgs,
  viewerKind,
  visibleProjects,
} from '../../directory/members/visibility.ts'
import { type Page, type PageRequest, uncountedPage } from '../../platform/queries/page.ts'
import { inBackground, type Param, type Queries } from '../../platform/queries/queries.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'
import {
  applyFilter,
  type EventFilter,
  type EventSelect,
  eventColumns,
  type FilterArgs,
  filterArgs,
  filterKey,
} from './event-filter.ts'
import { visibleSubjects } from './event-visibility.ts'

interface GroupArgs extends FilterArgs, ViewerArgs {
  groupId: number
  one: number
  /** How many events there are up to the end of the page, and one more. */
  end: number
  pageLimit: number
  pageOffset: number
}

/**
 * Lists the events of the projects in a group and its subgroups that the caller may see. They are not
 * counted. One query: it finds the first event of each project by an index, then the first events of
 * those projects alone that can have one up to the end of the page, and merges these. If there are as
 * many such projects as events up to there, none that comes after their first ones is read.
 * @param scope.today `YYYY-MM-DD`
 */
export async function listEventsOfGroup(
  q: Queries,
  scope: { groupId: number; caller: CallerFacts; today: string },
  filter: EventFilter,
  request: PageRequest,
): Promise<Page<Row<'events'>>> {
  const kind = viewerKind(scope.caller)
  const { sort } = filter
  const { page, perPage } = request
  const offset = (page - 1) * perPage
  const args: GroupArgs = {
    ...filterArgs(filter),
    ...viewerArgs(scope.caller, scope.today),
    groupId: scope.groupId,
    one: 1,
    end: offset + perPage + 1,
    pageLimit: perPage + 1,
    pageOffset: offset,
  }
  const shape = `events.ofGroup|${kind}|${filterKey(filter)}|${sort}`
  const found = await inBackground(q).all(shape, args, (db, $) =>
    inOrder(
      db
        .selectFrom('events')
        .where(sql<SqlBool>`"events"."id" in (${firstIds(q, db, $, { kind, filter })})`),
      sort,
    )
      .limit($('pageLimit'))
      .offset($('pageOffset'))
      .select(eventColumns),
  )
  return uncountedPage(found, request)
}

/** The ids of events among which are the first ones of all, up to the end of the page. */
function firstIds(
  { dialect }: Queries,
  db: Kysely<Schema>,
  $: Param<GroupArgs>,
  { kind, filter }: { kind: ViewerKind; filter: EventFilter },
) {
  const firstOf = (limit: 'one' | 'end') => firstEvents(db, $, { kind, filter, limit })
  const projects = db
    .selectFrom('namespaceAncestors as inside')
    .innerJoin('projects', 'projects.namespaceId', 'inside.descendantId')
    .where('inside.ancestorId', '=', $('groupId'))
    .where(visibleProjects(kind, $))
    .select(sql<number>`${firstOf('one')}`.as('eventId'))
  const active = inOrder(
    db
      .selectFrom(projects.as('first'))
      .innerJoin('events', 'events.id', 'first.eventId') as unknown as EventSelect,
    filter.sort,
  )
    .limit($('end'))
    .select(['events.projectId', 'events.createdAt'])
  const top = firstOf('end').where(isNotAfter(filter.sort, $))
  return dialect === 'sqlite'
    ? sql`with "active" as materialized ${active} select "top"."id" from "active"
        cross join "projects" cross join "events" as "top"
        where "projects"."id" = "active"."projectId" and "top"."id" in ${top}`
    : sql`with "active" as materialized ${active} select "top"."id" from "active"
        join "projects" on "projects"."id" = "active"."projectId"
        cross join lateral ${top} as "top"`
}

/** An event that comes after the first ones of enough projects is on a later page. */
function isNotAfter(sort: EventFilter['sort'], $: Param<GroupArgs>) {
  const last = (name: 'min' | 'max') =>
    sql`(select ${sql.raw(name)}("createdAt") from "active" having count(*) = ${$('end')})`
  return sort === 'desc'
    ? sql<SqlBool>`"events"."createdAt" >= coalesce(${last('min')}, 0)`
    : sql<SqlBool>`"events"."createdAt" <= coalesce(${last('max')}, ${sql.lit(Number.MAX_SAFE_INTEGER)})`
}

/** The first events of `projects` that the caller may see. */
function firstEvents(
  db: Kysely<Schema>,
  $: Param<GroupArgs>,
  { kind, filter, limit }: { kind: ViewerKind; filter: EventFilter; limit: 'one' | 'end' },
) {
  const ofProject = db
    .selectFrom('events')
    .where('events.projectId', '=', sql.ref<number>('projects.id'))
  return inOrder(
    applyFilter(ofProject, filter, $).where(visibleSubjects(kind, $, 'probe')),
    filter.sort,
  )
    .limit($(limit))
    .select('events.id')
}

function inOrder(query: EventSelect, sort: EventFilter['sort']): EventSelect {
  return query.orderBy('events.createdAt', sort).orderBy('events.id', sort)
}
