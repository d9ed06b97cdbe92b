import { deleteEpics, detachEpics } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { ItemChangeBy } from '../items/changes/work-item-type.ts'
import type { EpicItem } from '../items/item.ts'
import { deleteItem, deleteItemDependents } from '../items/item-removal.ts'
import { lockItem } from './epic-type.ts'

/**
 * Deletes an epic that the user may delete, with its notes, labels, todos and award emoji. Its
 * children and issues remain; they leave it in batches if there are many.
 * @throws DomainError `not_found` if it was deleted already.
 */
export async function removeEpic(app: App, by: ItemChangeBy, epic: EpicItem): Promise<undefined> {
  const { id } = epic.row
  await deleteItem(app, { type: 'epic', id, userId: by.userId }, async (tx, limit) => {
    const items = { ids: [id], limit }
    const item = await lockItem(tx, epic)
    const detached = await detachEpics(tx, items)
    const count = Math.max(detached, await deleteItemDependents(tx, { type: 'epic', ...items }))
    if (count < limit) {
      await deleteEpics(tx, [id])
      await recordChange(tx, { kind: 'epic.deleted', ...by, item })
    }
    return count
  })
  return undefined
}
