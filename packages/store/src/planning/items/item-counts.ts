import type { Transaction } from '../../platform/queries/queries.ts'
import { greatest, inList } from '../../platform/queries/sql.ts'

/** The tables with counter columns. */
export const countedTables = {
  issue: 'issues',
  merge_request: 'mergeRequests',
  epic: 'epics',
} as const
export type CountedType = keyof typeof countedTables

export function isCounted(type: string): type is CountedType {
  return type in countedTables
}

/** Counters that change by one per comment or award. */
export type ItemCount = 'userNotesCount' | 'upvotes' | 'downvotes'

/** Adds the same number to a counter of several items; returns how many items exist. */
export async function addToCount(
  tx: Transaction,
  {
    type,
    count,
    ...args
  }: { type: CountedType; count: ItemCount; ids: readonly number[]; by: number },
): Promise<number> {
  const table = countedTables[type]
  const { changes } = await tx.run(`items.count|${type}|${count}`, args, (db, $) =>
    db
      .updateTable(table)
      .set((eb) => ({ [count]: eb(count, '+', $('by')) }))
      .where(inList(`${table}.id`, $('ids'))),
  )
  return changes
}

/**
 * Counts a new comment and sets the item's `updatedAt` (milliseconds); false if the item no longer
 * exists. The row stays locked until the end of the transaction.
 */
export async function countComment(
  tx: Transaction,
  { type, ...args }: { type: CountedType; id: number; at: number },
): Promise<boolean> {
  const table = countedTables[type]
  const { changes } = await tx.run(`items.comment|${type}`, args, (db, $) =>
    db
      .updateTable(table)
      .set((eb) => ({
        userNotesCount: eb('userNotesCount', '+', 1),
        updatedAt: greatest(eb.ref('updatedAt'), eb.val($('at'))),
      }))
      .where('id', '=', $('id')),
  )
  return changes > 0
}

/** Items with a row of their own that take comments and awards. */
export const itemTables = { ...countedTables, snippet: 'snippets' } as const
export type ItemType = keyof typeof itemTables

/** Locks items until the end of the transaction; returns how many exist. */
export async function lockItemRows(
  tx: Transaction,
  { type, ids }: { type: ItemType; ids: readonly number[] },
): Promise<number> {
  const table = itemTables[type]
  const { changes } = await tx.run(`items.hold|${type}`, { ids }, (db, $) =>
    db
      .updateTable(table)
      .set((eb) => ({ updatedAt: eb.ref('updatedAt') }))
      .where(inList(`${table}.id`, $('ids'))),
  )
  return changes
}

/** `lockItems` for one item; false if it no longer exists. */
export async function lockItemRow(
  tx: Transaction,
  { type, id }: { type: ItemType; id: number },
): Promise<boolean> {
  return (await lockItemRows(tx, { type, ids: [id] })) > 0
}
