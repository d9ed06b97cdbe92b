import { closedRemark, reopenedRemark } from '@stithy/core'
import type { RemarkSource, Transaction } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import type { IssueItem } from '../items/item.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { remark, remarkNaming } from '../system-notes/system-note.service.ts'
import { finishTodos } from '../todos/todo.service.ts'
import { announceIssue } from '../webhooks/item-hooks.ts'
import { type Change, finish, lockItem, reload, save } from './write/issue-write.ts'

/** What closes an issue, beside who does. */
export interface ClosingMeans {
  /** `commit <hash>`, `merge request !3` */
  text: string
  source: RemarkSource
}

interface Closing {
  via?: ClosingMeans | undefined
}

/**
 * Closes an issue that the caller may change; one that is closed stays as it is, so that of two closings
 * at once one counts (catalogue: issues, 3).
 */
export async function closeIssue(
  app: App,
  caller: Caller,
  item: IssueItem,
  closing: Closing = {},
): Promise<IssueItem> {
  const now = app.now()
  const change = { userId: requireCaller(caller).id, at: now, now }
  await app.db.transaction(async (tx) => {
    const current = await lockItem(tx, item)
    const closed = await applyClosing(tx, current, change, closing)
    if (closed === undefined) return
    await finish(tx, closed, 'closed', change)
    tx.onCommit(app.wakeWorker)
  })
  return reload(app, item)
}

/**
 * Closes an issue that is locked by the transaction, with all but the event, which belongs to its end;
 * undefined where it is not open.
 */
export async function applyClosing(
  tx: Transaction,
  item: IssueItem,
  change: Change,
  { via, silent = false }: Closing & { silent?: boolean } = {},
): Promise<IssueItem | undefined> {
  if (item.row.state !== 'opened') return undefined
  const { userId, at } = change
  const closed = { state: 'closed', closedById: userId, closedAt: at, updatedAt: at } as const
  const next = await changeState(tx, item, closed, change)
  if (!silent) await sayClosed(tx, next, { via, userId, at })
  await announceState(tx, item, next, 'close', change)
  return next
}

async function sayClosed(
  tx: Transaction,
  item: IssueItem,
  { via, userId: authorId, at }: Closing & Pick<Change, 'userId' | 'at'>,
): Promise<void> {
  const said = { authorId, body: closedRemark(via?.text), at }
  if (via === undefined) await remark(tx, item, said)
  else await remarkNaming(tx, item, via.source, said)
}

/**
 * As `applyClosing`, the other way; one whose discussion is locked stays closed (catalogue: issues, 2.1 and 3).
 */
export async function applyReopening(
  tx: Transaction,
  item: IssueItem,
  change: Change,
): Promise<IssueItem | undefined> {
  if (item.row.state !== 'closed' || item.row.discussionLocked === 1) return undefined
  const { userId, at } = change
  const opened = { state: 'opened', closedById: null, closedAt: null, updatedAt: at } as const
  const next = await changeState(tx, item, opened, change)
  await remark(tx, next, { authorId: userId, body: reopenedRemark, at })
  await announceState(tx, item, next, 'reopen', change)
  return next
}

type StateColumns = Pick<IssueItem['row'], 'state' | 'closedById' | 'closedAt' | 'updatedAt'>

async function changeState(
  tx: Transaction,
  item: IssueItem,
  columns: StateColumns,
  { userId, now }: Change,
): Promise<IssueItem> {
  await finishTodos(tx, { item, userId, at: now })
  return save(tx, item, columns)
}

async function announceState(
  tx: Transaction,
  before: IssueItem,
  { row }: IssueItem,
  action: 'close' | 'reopen',
  { userId, now }: Change,
): Promise<void> {
  const changes = {
    state: { previous: before.row.state, current: row.state },
    closed_at: { previous: before.row.closedAt, current: row.closedAt },
    updated_at: { previous: before.row.updatedAt, current: row.updatedAt },
  }
  await announceIssue(tx, { row, action, userId, at: now, changes })
}
