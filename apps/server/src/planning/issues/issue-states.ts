import type { SystemNote } from '@stithy/core'
import { type IssueRow, type Transaction, updateIssueRow } from '@stithy/store'
import { recordChange } from '../../platform/changes/record-change.ts'
import { type ItemChangeBy, withColumns } from '../items/changes/work-item-type.ts'
import type { IssueItem } from '../items/item.ts'

/**
 * Closes an issue that the transaction has locked; undefined if it is not open, so that of two
 * concurrent calls one takes effect.
 */
export async function close(
  tx: Transaction,
  item: IssueItem,
  by: ItemChangeBy,
  notes: readonly SystemNote[] = [{ action: 'closed' }],
): Promise<IssueItem | undefined> {
  if (item.row.state !== 'opened') return undefined
  const { userId, at } = by
  const columns = { state: 'closed', closedById: userId, closedAt: at, updatedAt: at } as const
  const closed = await changeState(tx, item, columns)
  await recordChange(tx, { kind: 'issue.closed', ...by, before: item, item: closed, notes })
  return closed
}

/** Reopens an issue that the transaction has locked; undefined if it cannot be reopened. */
export async function reopen(
  tx: Transaction,
  item: IssueItem,
  by: ItemChangeBy,
): Promise<IssueItem | undefined> {
  if (!isReopenable(item.row)) return undefined
  const columns = { state: 'opened', closedById: null, closedAt: null, updatedAt: by.at } as const
  const opened = await changeState(tx, item, columns)
  const notes = [{ action: 'reopened' }] as const
  await recordChange(tx, { kind: 'issue.reopened', ...by, before: item, item: opened, notes })
  return opened
}

/** An issue with a locked discussion cannot be reopened. */
function isReopenable({ state, discussionLocked }: IssueRow): boolean {
  return state === 'closed' && discussionLocked !== 1
}

type StateColumns = Pick<IssueRow, 'state' | 'closedById' | 'closedAt' | 'updatedAt'>

async function changeState(
  tx: Transaction,
  item: IssueItem,
  columns: StateColumns,
): Promise<IssueItem> {
  await updateIssueRow(tx, item.row.id, columns)
  return withColumns(item, columns)
}
