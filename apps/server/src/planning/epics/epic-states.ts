import { type EpicRow, type Transaction, updateEpicRow } from '@stithy/store'
import { recordChange } from '../../platform/changes/record-change.ts'
import { type ItemChangeBy, withColumns } from '../items/changes/work-item-type.ts'
import type { EpicItem } from '../items/item.ts'

/** Closes an epic that the transaction has locked; undefined if it is not open. */
export async function close(
  tx: Transaction,
  item: EpicItem,
  by: ItemChangeBy,
): Promise<EpicItem | undefined> {
  if (item.row.state !== 'opened') return undefined
  const { userId, at } = by
  const columns = { state: 'closed', closedById: userId, closedAt: at, updatedAt: at } as const
  const closed = await changeState(tx, item, columns)
  const notes = [{ action: 'closed' }] as const
  await recordChange(tx, { kind: 'epic.closed', ...by, before: item, item: closed, notes })
  return closed
}

/** Reopens an epic that the transaction has locked; undefined if it is not closed. */
export async function reopen(
  tx: Transaction,
  item: EpicItem,
  by: ItemChangeBy,
): Promise<EpicItem | undefined> {
  if (item.row.state !== 'closed') return undefined
  const columns = { state: 'opened', closedById: null, closedAt: null, updatedAt: by.at } as const
  const opened = await changeState(tx, item, columns)
  const notes = [{ action: 'reopened' }] as const
  await recordChange(tx, { kind: 'epic.reopened', ...by, before: item, item: opened, notes })
  return opened
}

async function changeState(
  tx: Transaction,
  item: EpicItem,
  columns: Pick<EpicRow, 'state' | 'closedById' | 'closedAt' | 'updatedAt'>,
): Promise<EpicItem> {
  await updateEpicRow(tx, item.row.id, columns)
  return withColumns(item, columns)
}
