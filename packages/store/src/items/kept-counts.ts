import type { Transaction } from '../queries.ts'
import { greatest, inList } from '../sql.ts'

/** What keeps counts of what belongs to it. */
export const countedTables = {
  issue: 'issues',
  merge_request: 'mergeRequests',
  epic: 'epics',
} as const
export type CountedType = keyof typeof countedTables

export function isCounted(type: string): type is CountedType {
  return type in countedTables
}

/** Counts that rise and fall by one thing. */
export type KeptCount = 'userNotesCount' | 'upvotes' | 'downvotes'

/** Raises or lowers a count of several items by the same number; answers how many items there were. */
export async function addToCount(
  tx: Transaction,
  {
    type,
    count,
    ...args
  }: { type: CountedType; count: KeptCount; ids: readonly number[]; by: number },
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
 * Counts a new comment, with which its item counts as changed (milliseconds); false where the item is gone.
 * Others wait from here on until the end of the transaction.
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

/** What is commented on and awarded, and has a row of its own. */
export const itemTables = { ...countedTables, snippet: 'snippets' } as const
export type ItemType = keyof typeof itemTables

/** Keeps others from changing items until the end of the transaction; answers how many there are. */
export async function holdItems(
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

/** `holdItems` for one; false where it is gone. */
export async function holdItem(
  tx: Transaction,
  { type, id }: { type: ItemType; id: number },
): Promise<boolean> {
  return (await holdItems(tx, { type, ids: [id] })) > 0
}
