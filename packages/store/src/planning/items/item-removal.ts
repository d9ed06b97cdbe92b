import type { Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import { deleteNotes, removableColumns } from '../notes/note-removal.ts'
import { type ItemType, lockItemRows } from './item-counts.ts'

/** Items of one type to delete; any number of them, in batches if there are many. */
export interface ItemsToDelete {
  type: ItemType
  ids: readonly number[]
}

/** Tables whose rows reference an item by `targetType` and `targetId`: any number of them. */
const dependentTables = ['awards', 'todos', 'crossReferences', 'labelEvents', 'timeLogs'] as const

/** The same, of which an item has few besides those of its notes. */
const linkTables = ['subscriptions', 'mentions', 'labelLinks'] as const

/**
 * Deletes the dependents of items that are being deleted, up to `limit` of each kind: their notes with
 * the awards of these, their own awards, todos, subscriptions, mentions, cross references, labels, label
 * events, time logs and activity events, and the system notes elsewhere that refer to them, since it is
 * no longer known who may see those. Call it in the transaction that deletes the items, before they are
 * deleted. Returns `limit` if there may be more, otherwise fewer.
 */
export async function deleteItemDependents(
  tx: Transaction,
  { type, ids, limit }: ItemsToDelete & { limit: number },
): Promise<number> {
  if (ids.length === 0) return 0
  await lockItemRows(tx, { type, ids })
  const items = { type, ids, limit }
  const removed = [await removeSystemNotes(tx, items), await removeOwnNotes(tx, items)]
  for (const table of dependentTables) removed.push(await removeRows(tx, table, items))
  for (const table of linkTables) {
    await tx.run(`dependents.${table}`, { type, ids }, (db, $) =>
      db
        .deleteFrom(table)
        .where('targetType', '=', $('type') as never)
        .where(inList(`${table}.targetId`, $('ids'))),
    )
  }
  removed.push(await removeEvents(tx, items))
  return Math.max(...removed)
}

/** The most rows of each kind that go in one transaction with many items. */
export const dependentsAtOnce = 1000

type SomeDependents = ItemsToDelete & { limit: number }

async function removeRows(
  tx: Transaction,
  table: (typeof dependentTables)[number],
  items: SomeDependents,
): Promise<number> {
  const { changes } = await tx.run(`dependents.${table}`, items, (db, $) =>
    db.deleteFrom(table).where(
      'id',
      'in',
      db
        .selectFrom(table)
        .where('targetType', '=', $('type') as never)
        .where(inList(`${table}.targetId`, $('ids')))
        .limit($('limit'))
        .select('id'),
    ),
  )
  return changes
}

/** Deletes notes on the items. */
async function removeOwnNotes(tx: Transaction, items: SomeDependents): Promise<number> {
  const notes = await tx.all('dependents.notes', items, (db, $) =>
    db
      .selectFrom('notes')
      .where('notes.noteableType', '=', $('type'))
      .where(inList('notes.noteableId', $('ids')))
      .limit($('limit'))
      .select(removableColumns),
  )
  await deleteNotes(tx, notes)
  return notes.length
}

/** Deletes the system notes on other items that refer to these, and the cross references. */
async function removeSystemNotes(
  tx: Transaction,
  { type, ids, limit }: SomeDependents,
): Promise<number> {
  const source = { type, keys: ids.map(String), limit }
  const systemNotes = await tx.all('dependents.systemNotes', source, (db, $) =>
    db
      .selectFrom('notes')
      .where('notes.sourceType', '=', $('type'))
      .where(inList('notes.sourceKey', $('keys')))
      .limit($('limit'))
      .select(removableColumns),
  )
  await deleteNotes(tx, systemNotes)
  const { changes } = await tx.run('dependents.references', source, (db, $) =>
    db.deleteFrom('crossReferences').where('id', 'in', (eb) =>
      eb
        .selectFrom('crossReferences')
        .where('sourceType', '=', $('type'))
        .where(inList('crossReferences.sourceKey', $('keys')))
        .limit($('limit'))
        .select('crossReferences.id'),
    ),
  )
  return Math.max(systemNotes.length, changes)
}

/**
 * Deletes up to `limit` system notes that refer to commits or branches of a project; returns how
 * many.
 */
export async function removeCodeSystemNotes(
  tx: Transaction,
  args: { projectId: number; limit: number },
): Promise<number> {
  const systemNotes = await tx.all('dependents.code-systemNotes', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('notes.sourceProjectId', '=', $('projectId'))
      .where('notes.sourceType', 'in', ['commit', 'code'])
      .limit($('limit'))
      .select(removableColumns),
  )
  return deleteNotes(tx, systemNotes)
}

/** Deletes the activity events about the items and their comments. */
async function removeEvents(
  tx: Transaction,
  { type, ids, limit }: SomeDependents,
): Promise<number> {
  let removed = 0
  if (type !== 'epic') {
    const own = await tx.run('dependents.events', { type, ids, limit }, (db, $) =>
      db.deleteFrom('events').where('id', 'in', (eb) =>
        eb
          .selectFrom('events')
          .where('targetType', '=', $('type') as Exclude<typeof type, 'epic'>)
          .where(inList('events.targetId', $('ids')))
          .limit($('limit'))
          .select('events.id'),
      ),
    )
    removed = own.changes
  }
  const noteEvents = await tx.run('dependents.note-events', { type, ids, limit }, (db, $) =>
    db.deleteFrom('events').where('id', 'in', (eb) =>
      eb
        .selectFrom('events')
        .where('noteableType', '=', $('type'))
        .where(inList('events.noteableId', $('ids')))
        .limit($('limit'))
        .select('events.id'),
    ),
  )
  removed = Math.max(removed, noteEvents.changes)
  if (removed > 0) touchStamp(tx, 'events')
  return removed
}
