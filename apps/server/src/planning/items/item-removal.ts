import type { ItemType, Transaction } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { inDurableBatches } from '../../platform/jobs/durable-batches.ts'

export { deleteItemDependents } from '@stithy/store'

/** The job that finishes the deletion of an item. */
export const finishDeletionKind = 'items.finish-deletion'

/** An item that a user deletes. */
export interface ItemDeletion {
  type: ItemType
  id: number
  userId: number
}

/**
 * Deletes an item on which any number of rows depend. `work` deletes up to `limit` rows of each kind
 * and, if there were fewer, the item; it returns the largest of the numbers. If this process ends in
 * between, a job deletes the rest.
 */
export function deleteItem(
  app: App,
  deletion: ItemDeletion,
  work: (tx: Transaction, limit: number) => Promise<number>,
): Promise<void> {
  return inDurableBatches(app, { kind: finishDeletionKind, payload: deletion }, work)
}
