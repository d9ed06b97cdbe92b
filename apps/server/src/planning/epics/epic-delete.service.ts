import { setImmediate } from 'node:timers/promises'
import { deleteEpics, detachEpics, type Transaction } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { ChangeBy } from '../../platform/changes/change.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { changeBy } from '../items/changes/change-by.ts'
import type { EpicItem } from '../items/item.ts'
import { deleteItemDependents } from '../items/item-removal.ts'
import { lockItem } from './epic-type.ts'

/** Issues and children of one transaction. */
const batchSize = 1000

/**
 * Deletes an epic that the caller may delete, with its notes, labels, todos and award emoji. Its
 * children and issues remain; they leave it in batches if there are many.
 * @throws DomainError `not_found` if it was deleted already.
 */
export async function removeEpic(app: App, caller: Caller, epic: EpicItem): Promise<undefined> {
  const by = changeBy(app, caller)
  while (!(await app.db.transaction((tx) => removeWithBatch(tx, epic, by)))) await setImmediate()
}

/** Detaches a batch, and deletes the epic after the last; returns whether it did. */
async function removeWithBatch(
  tx: Transaction,
  epic: EpicItem,
  by: ChangeBy & { userId: number },
): Promise<boolean> {
  const ids = [epic.row.id]
  const item = await lockItem(tx, epic)
  if ((await detachEpics(tx, { ids, limit: batchSize })) === batchSize) return false
  await deleteItemDependents(tx, { type: 'epic', ids })
  await deleteEpics(tx, ids)
  await recordChange(tx, { kind: 'epic.deleted', ...by, item })
  return true
}
