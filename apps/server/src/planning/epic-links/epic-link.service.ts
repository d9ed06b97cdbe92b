import { type Epic, type ItemsQuery, notFound } from '@stithy/core'
import {
  findChildPosition,
  hasChildBetween,
  listChildEpics,
  lockItemRow,
  moveChildEpic,
  type Page,
  type PageRequest,
  type Queries,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { requireEditableEpic } from '../epics/epic-lookup.service.ts'
import { placeInTree, removeFromTree } from '../epics/epic-tree.service.ts'
import { viewEpics } from '../epics/epic-views.service.ts'
import { changeBy } from '../items/changes/change-by.ts'
import type { EpicItem } from '../items/item.ts'
import { type MoveRequest, moveAmong, type VisibleOrder } from '../items/move-among.ts'

/** As errors call it, so that they are not about the epic in the path. */
const childTitle = 'Child Epic'

/** @throws DomainError `not_found`, `forbidden` */
function requireChild(
  app: App,
  caller: Caller,
  { group }: EpicItem,
  id: number,
): Promise<EpicItem> {
  return requireEditableEpic(app, caller, { group, id, title: childTitle })
}

function childrenFor(app: App, caller: Caller, { row }: EpicItem) {
  return { parentId: row.id, caller: caller.facts, today: dayOf(app.now()) }
}

/** Lists the children of an epic that the caller may read, in their order. */
export async function listChildren(
  app: App,
  caller: Caller,
  parent: EpicItem,
  { max_description_length: maxDescriptionLength }: ItemsQuery,
  page: PageRequest,
): Promise<Page<Epic>> {
  const found = await listChildEpics(app.db, childrenFor(app, caller, parent), page)
  return { ...found, items: await viewEpics(app, caller, found.items, maxDescriptionLength) }
}

/**
 * Makes an epic a child of another one, and returns it; see `placeInTree`.
 * @throws DomainError `not_found`, `forbidden`, `conflict`, `validation_failed`
 */
export async function assignChild(
  app: App,
  caller: Caller,
  parent: EpicItem,
  childId: number,
): Promise<EpicItem> {
  const child = await requireChild(app, caller, parent, childId)
  const by = changeBy(app, caller)
  await app.db.transaction((tx) => placeInTree(tx, { child, parent }, by))
  return requireChild(app, caller, parent, childId)
}

/**
 * Makes a child of an epic one without a parent, and returns it.
 * @throws DomainError `not_found` if it is no child that the caller may read, `forbidden`
 */
export async function unassignChild(
  app: App,
  caller: Caller,
  parent: EpicItem,
  childId: number,
): Promise<EpicItem> {
  const child = await requireChild(app, caller, parent, childId)
  if (child.row.parentId !== parent.row.id) throw notFound(childTitle)
  const now = app.now()
  const by = { userId: requireCaller(caller).id, at: now, now }
  await app.db.transaction((tx) => removeFromTree(tx, { child, parent }, by))
  return { ...child, row: { ...child.row, parentId: null, updatedAt: now } }
}

/** Moves a child among its siblings. @throws DomainError `not_found`, `bad_request` */
export async function moveChild(
  app: App,
  caller: Caller,
  parent: EpicItem,
  childId: number,
  request: MoveRequest,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const { id } = parent.row
    if (!(await lockItemRow(tx, { type: 'epic', id }))) throw notFound('Epic')
    await moveAmong(tx, orderOf(tx, childrenFor(app, caller, parent)), childId, request)
  })
}

function orderOf(q: Queries, children: ReturnType<typeof childrenFor>): VisibleOrder {
  const { parentId } = children
  return {
    noun: 'Epic',
    title: childTitle,
    findPosition: (id) => findChildPosition(q, children, id),
    hasBetween: (between) => hasChildBetween(q, children, between),
    move: (tx, move) => moveChildEpic(tx, { parentId, ...move }),
  }
}
