import type { SystemNote } from '@stithy/core'
import { type IssueRow, type Transaction, updateIssueRow } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
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
  return closeWith(tx, item, by, { notes })
}

/** What became of an issue: the column that remembers it, and the system note that tells of it. */
interface Outcome {
  columns: Partial<Pick<IssueRow, 'movedToId' | 'promotedToEpicId'>>
  note: SystemNote
}

/**
 * Remembers and notes what an issue was copied to, and closes it if it is open: without a `closed`
 * system note, and without mails.
 */
export async function closeCopied(
  tx: Transaction,
  source: IssueItem,
  { columns, note }: Outcome,
  by: ItemChangeBy,
): Promise<void> {
  const item = await setColumns(tx, source, { ...columns, updatedAt: by.now })
  await recordChange(tx, { kind: 'item.noted', ...by, item, notes: [note] })
  await closeWith(tx, item, by, { notes: [], isSilent: true })
}

async function closeWith(
  tx: Transaction,
  item: IssueItem,
  by: ItemChangeBy,
  how: Pick<Change<'issue.closed'>, 'notes' | 'isSilent'>,
): Promise<IssueItem | undefined> {
  if (item.row.state !== 'opened') return undefined
  const { userId, at } = by
  const columns = { state: 'closed', closedById: userId, closedAt: at, updatedAt: at } as const
  const closed = await setColumns(tx, item, columns)
  await recordChange(tx, { kind: 'issue.closed', ...by, ...how, before: item, item: closed })
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
  const opened = await setColumns(tx, item, columns)
  const notes = [{ action: 'reopened' }] as const
  await recordChange(tx, { kind: 'issue.reopened', ...by, before: item, item: opened, notes })
  return opened
}

/** An issue with a locked discussion cannot be reopened. */
function isReopenable({ state, discussionLocked }: IssueRow): boolean {
  return state === 'closed' && discussionLocked !== 1
}

async function setColumns(
  tx: Transaction,
  item: IssueItem,
  columns: Partial<IssueRow>,
): Promise<IssueItem> {
  await updateIssueRow(tx, item.row.id, columns)
  return withColumns(item, columns)
}
