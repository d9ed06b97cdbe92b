import { conflict, maxEpicLevels, notFound, validationFailed } from '@stithy/core'
import {
  findEpicsById,
  hasEpicsBelow,
  listEpicLine,
  lockItemRows,
  setEpicParent,
  type Transaction,
} from '@stithy/store'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { ItemChangeBy } from '../items/changes/work-item-type.ts'
import type { EpicItem } from '../items/item.ts'
import { sourceOf } from '../system-notes/system-note.service.ts'
import { findEpicItem } from './epic-lookup.service.ts'

/** A child epic and its new or former parent. */
export interface EpicRelation {
  child: EpicItem
  parent: EpicItem
}

/**
 * Makes an epic the last child of another one, whose group contains that of the child, and no longer a
 * child of a third. System notes tell of it on all of them.
 * @throws DomainError `conflict` if it is its child already, `validation_failed` if it is the child
 *   itself or below it, or if there would be too many levels, `not_found` if one was deleted.
 */
export async function placeInTree(
  tx: Transaction,
  { child, parent }: EpicRelation,
  by: ItemChangeBy,
): Promise<void> {
  const line = await lockLine(tx, { child, parent })
  const childId = child.row.id
  const [current] = await findEpicsById(tx, [childId])
  if (current === undefined) throw notFound('Epic')
  if (current.parentId === parent.row.id) throw conflict('Epic(s) already assigned')
  if (line.includes(childId)) throw invalidParent("can't be the epic itself or one below it")
  // The levels that are free for the child and what is below it.
  const free = maxEpicLevels - line.length
  if (free < 1 || (await hasEpicsBelow(tx, { id: childId, levels: free }))) {
    throw invalidParent(`would make more than ${maxEpicLevels} levels of epics`)
  }
  await setEpicParent(tx, { id: childId, parentId: parent.row.id, at: by.at })
  const former = current.parentId === null ? undefined : await findEpicItem(tx, current.parentId)
  if (former !== undefined) await note(tx, 'child_epic_removed', former, child, by)
  await note(tx, 'child_epic_added', parent, child, by)
  await note(tx, 'parent_epic_added', child, parent, by)
}

/**
 * Makes a child epic one without a parent, with system notes on both.
 * @throws DomainError `not_found` if it isn't a child of that parent.
 */
export async function removeFromTree(
  tx: Transaction,
  { child, parent }: EpicRelation,
  by: ItemChangeBy,
): Promise<void> {
  await lockItemRows(tx, { type: 'epic', ids: [child.row.id, parent.row.id] })
  const [current] = await findEpicsById(tx, [child.row.id])
  if (current?.parentId !== parent.row.id) throw notFound('Epic')
  await setEpicParent(tx, { id: child.row.id, parentId: null, at: by.at })
  await note(tx, 'child_epic_removed', parent, child, by)
  await note(tx, 'parent_epic_removed', child, parent, by)
}

/**
 * Locks the child, its new parent and all epics above that, whose ids it returns: a change elsewhere
 * that would make a cycle or a level too many with this one has to lock one of them as well.
 */
async function lockLine(tx: Transaction, { child, parent }: EpicRelation): Promise<number[]> {
  const locked = new Set<number>()
  for (;;) {
    const line = await listEpicLine(tx, parent.row.id)
    if (line.length === 0) throw notFound('Epic')
    const ids = [child.row.id, ...line].filter((id) => !locked.has(id))
    if (ids.length === 0) return line
    await lockItemRows(tx, { type: 'epic', ids })
    for (const id of ids) locked.add(id)
  }
}

function invalidParent(reason: string) {
  return validationFailed({ parent_id: [reason] })
}

async function note(
  tx: Transaction,
  action: 'child_epic_added' | 'child_epic_removed' | 'parent_epic_added' | 'parent_epic_removed',
  item: EpicItem,
  other: EpicItem,
  by: ItemChangeBy,
): Promise<void> {
  const notes = [{ action, source: sourceOf(other) }]
  await recordChange(tx, { kind: 'item.noted', ...by, item, notes })
}
