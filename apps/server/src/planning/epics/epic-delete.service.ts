import { deleteEpics } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import type { EpicItem } from '../items/item.ts'
import { deleteItemDependents } from '../items/item-removal.ts'
import { lockItem } from './epic-type.ts'

/**
 * Deletes an epic that the caller may delete, with its notes, labels, todos and award emoji. Its
 * children and issues remain.
 * @throws DomainError `not_found` if it was deleted already.
 */
export async function removeEpic(app: App, caller: Caller, epic: EpicItem): Promise<undefined> {
  const ids = [epic.row.id]
  const now = app.now()
  const by = { userId: requireCaller(caller).id, at: now, now }
  await app.db.transaction(async (tx) => {
    const item = await lockItem(tx, epic)
    await deleteItemDependents(tx, { type: 'epic', ids })
    await deleteEpics(tx, ids)
    await recordChange(tx, { kind: 'epic.deleted', ...by, item })
  })
  return undefined
}
