import { notFound } from '@stithy/core'
import { findEpicsById, findGroup, isGroupWithin, type Queries } from '@stithy/store'
import { type GroupSubject, loadGroup } from '../../directory/groups/group-subject.ts'
import type { App } from '../../platform/app.ts'
import { decideOn, enforce } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { EpicItem, IssueItem } from '../items/item.ts'

/** Finds an epic by its id that the caller may read. At most three queries. */
export async function findReadableEpic(
  app: App,
  caller: Caller,
  id: number,
): Promise<EpicItem | undefined> {
  const [row] = await findEpicsById(app.db, [id])
  const group = row && (await loadGroup(app, String(row.groupId), caller))
  if (row === undefined || group === undefined) return undefined
  const item: EpicItem = { type: 'epic', row, group }
  return decideOn(app, 'epic', 'read_epic', item, caller).allowed ? item : undefined
}

/** Requires that the caller may edit an epic that they may read. @throws DomainError `forbidden` */
export function requireEditable(app: App, caller: Caller, epic: EpicItem): void {
  enforce(decideOn(app, 'epic', 'update_epic', epic, caller), caller, 'Epic')
}

/**
 * What a quick action does with an epic and another item: the same as the call, of which the other item
 * is named by its id, if the caller may edit the epic.
 */
export function onEditable(
  act: (app: App, caller: Caller, epic: EpicItem, id: number) => Promise<unknown>,
) {
  return async (
    app: App,
    caller: Caller,
    epic: EpicItem,
    { row }: EpicItem | IssueItem,
  ): Promise<void> => {
    requireEditable(app, caller, epic)
    await act(app, caller, epic, row.id)
  }
}

/**
 * Finds an epic by its id, of a group or of those below it, that the caller may edit.
 * @throws DomainError `not_found` if they can't read it or it is of another group, `forbidden`
 */
export async function requireEditableEpic(
  app: App,
  caller: Caller,
  { group, id, title }: { group: GroupSubject; id: number; title: string },
): Promise<EpicItem> {
  const item = await findReadableEpic(app, caller, id)
  if (item === undefined) throw notFound(title)
  const { groupId } = item.row
  const isWithin = await isGroupWithin(app.db, { groupId, ancestorId: group.row.id })
  if (!isWithin) throw notFound(title)
  requireEditable(app, caller, item)
  return item
}

/** An epic as nobody in particular sees it, to write system notes on. Two queries. */
export async function findEpicItem(q: Queries, id: number): Promise<EpicItem | undefined> {
  const [row] = await findEpicsById(q, [id])
  const group = row && (await findGroup(q, { id: row.groupId }))
  if (row === undefined || group === undefined) return undefined
  const facts = { visibility: group.visibility, level: 0, holdsReadableProject: false }
  return { type: 'epic', row, group: { row: group, facts } }
}
