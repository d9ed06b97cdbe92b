import { listPage, type Page, type PageRequest } from '../../platform/queries/page.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** A stored message; times in milliseconds since the epoch. */
export type BroadcastMessageRow = Row<'broadcastMessages'>

/** What users set. */
export type BroadcastMessageColumns = Pick<
  BroadcastMessageRow,
  'message' | 'startsAt' | 'endsAt' | 'color' | 'font'
>

const columns = ['message', 'startsAt', 'endsAt', 'color', 'font'] as const

/** One page of messages, newest first. Two queries. */
export function listBroadcastMessages(
  q: Queries,
  request: PageRequest,
): Promise<Page<BroadcastMessageRow>> {
  return listPage(q, request, {
    shape: 'broadcasts.list',
    args: {},
    key: 'broadcastMessages.id',
    stamp: undefined,
    isShort: true,
    from: (db) => db.selectFrom('broadcastMessages'),
    order: (query) => query.orderBy('broadcastMessages.id', 'desc'),
    columns: (query) => query.selectAll('broadcastMessages'),
  })
}

/** The messages that are shown at a time, oldest first; at most `limit`. */
export function listActiveBroadcastMessages(
  q: Queries,
  args: { now: number; limit: number },
): Promise<BroadcastMessageRow[]> {
  return q.all('broadcasts.active', args, (db, $) =>
    db
      .selectFrom('broadcastMessages')
      .where('endsAt', '>', $('now'))
      .where('startsAt', '<=', $('now'))
      .orderBy('endsAt')
      .orderBy('id')
      .limit($('limit'))
      .selectAll(),
  )
}

export function findBroadcastMessage(
  q: Queries,
  id: number,
): Promise<BroadcastMessageRow | undefined> {
  return q.first('broadcasts.find', { id }, (db, $) =>
    db.selectFrom('broadcastMessages').where('id', '=', $('id')).selectAll(),
  )
}

/** Adds a message and returns its row. */
export async function insertBroadcastMessage(
  tx: Transaction,
  values: BroadcastMessageColumns & { now: number },
): Promise<BroadcastMessageRow> {
  const row = await tx.first('broadcasts.insert', values, (db, $) =>
    db
      .insertInto('broadcastMessages')
      .values({ ...pick($, columns), createdAt: $('now'), updatedAt: $('now') })
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/** Changes a message; undefined if it no longer exists. */
export function updateBroadcastMessage(
  tx: Transaction,
  values: BroadcastMessageColumns & { id: number; now: number },
): Promise<BroadcastMessageRow | undefined> {
  return tx.first('broadcasts.update', values, (db, $) =>
    db
      .updateTable('broadcastMessages')
      .set({ ...pick($, columns), updatedAt: $('now') })
      .where('id', '=', $('id'))
      .returningAll(),
  )
}

export async function deleteBroadcastMessage(tx: Transaction, id: number): Promise<void> {
  await tx.run('broadcasts.delete', { id }, (db, $) =>
    db.deleteFrom('broadcastMessages').where('id', '=', $('id')),
  )
}
