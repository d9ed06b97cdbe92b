import type { CallerFacts } from '@stithy/core'
import type { Kysely } from 'kysely'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { type ViewerKind, viewerArgs, viewerKind } from '../../directory/members/visibility.ts'
import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { type EpicRow, listedEpicColumns } from '../epics/epic-row.ts'
import { childEpics } from '../epics/epic-tree-store.ts'
import { visibleEpics } from '../epics/epic-visibility.ts'
import { type Destination, moveBeside } from '../items/relative-order.ts'

/** The children of an epic, for one reader; `today` is `YYYY-MM-DD`. */
export interface ChildEpicsQuery {
  parentId: number
  caller: CallerFacts
  today: string
}

type Args = ViewerArgs & { parentId: number }

function visibleChildren(db: Kysely<Schema>, $: Param<Args>, kind: ViewerKind) {
  return db
    .selectFrom('epics')
    .innerJoin('namespaces', 'namespaces.id', 'epics.groupId')
    .where('epics.parentId', '=', $('parentId'))
    .where(visibleEpics(kind, $))
}

/** Lists the children of an epic that the caller may see, in their order. Two queries. */
export function listChildEpics(
  q: Queries,
  { parentId, caller, today }: ChildEpicsQuery,
  request: PageRequest,
): Promise<Page<EpicRow>> {
  const kind = viewerKind(caller)
  return listPage(q, request, {
    shape: `epic-links.children|${kind}`,
    args: { parentId, ...viewerArgs(caller, today) },
    // Not cached: an epic has few children.
    stamp: undefined,
    isShort: true,
    key: 'epics.id',
    from: (db, $) => visibleChildren(db, $, kind),
    order: (query) => query.orderBy('epics.relativePosition').orderBy('epics.id'),
    columns: (query) => query.select(listedEpicColumns),
  })
}

/** Whether any child that the caller may see is between two others. One query. */
export async function hasChildBetween(
  q: Queries,
  { parentId, caller, today }: ChildEpicsQuery,
  between: { after: number; before: number; exceptId: number },
): Promise<boolean> {
  const kind = viewerKind(caller)
  const args = { parentId, ...between, ...viewerArgs(caller, today) }
  const row = await q.first(`epic-links.between|${kind}`, args, (db, $) =>
    visibleChildren(db, $, kind)
      .where('epics.relativePosition', '>', $('after'))
      .where('epics.relativePosition', '<', $('before'))
      .where('epics.id', '<>', $('exceptId'))
      .limit(1)
      .select('epics.id'),
  )
  return row !== undefined
}

/** The position of a child that the caller may see; undefined if the epic has none. One query. */
export async function findChildPosition(
  q: Queries,
  { parentId, caller, today }: ChildEpicsQuery,
  id: number,
): Promise<number | undefined> {
  const kind = viewerKind(caller)
  const args = { parentId, id, ...viewerArgs(caller, today) }
  const row = await q.first(`epic-links.position|${kind}`, args, (db, $) =>
    visibleChildren(db, $, kind).where('epics.id', '=', $('id')).select('epics.relativePosition'),
  )
  return row?.relativePosition ?? undefined
}

/** Moves a child of a locked epic; see `moveBeside`. */
export function moveChildEpic(
  tx: Transaction,
  { parentId, ...move }: { parentId: number; id: number; to: Destination },
): Promise<boolean> {
  return moveBeside(tx, { table: childEpics, parentId }, move)
}
