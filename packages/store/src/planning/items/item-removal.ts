import type { Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'
import { deleteNotes } from '../notes/note-removal.ts'
import { type ItemType, lockItemRows } from './item-counts.ts'

/** Items of one type to delete; any number of them, in batches if there are many. */
export interface ItemsToDelete {
  type: ItemType
  ids: readonly number[]
}

/** Tables whose rows reference an item by `targetType` and `targetId`. */
const dependentTables = [
  'awards',
  'todos',
  'subscriptions',
  'mentions',
  'crossReferences',
  'labelLinks',
  'labelEvents',
  'timeLogs',
] as const

/**
 * Deletes the dependents of items that are being deleted: their notes with the awards of these,
 * their own awards, todos, subscriptions, mentions, cross references, labels, label events, time
 * logs and activity events, and the system notes elsewhere that refer to them, since it is no
 * longer known who may see those. Call it in the transaction that deletes the items, before they
 * are deleted.
 */
export async function deleteItemDependents(
  tx: Transaction,
  { type, ids }: ItemsToDelete,
): Promise<void> {
  if (ids.length === 0) return
  await lockItemRows(tx, { type, ids })
  await removeSystemNotes(tx, { type, ids })
  await tx.run('dependents.note-awards', { type, ids }, (db, $) =>
    db
      .deleteFrom('awards')
      .where('targetType', '=', 'note')
      .where('targetId', 'in', (eb) =>
        eb
          .selectFrom('notes')
          .where('notes.noteableType', '=', $('type'))
          .where(inList('notes.noteableId', $('ids')))
          .select('notes.id'),
      ),
  )
  await tx.run('dependents.notes', { type, ids }, (db, $) =>
    db
      .deleteFrom('notes')
      .where('noteableType', '=', $('type'))
      .where(inList('notes.noteableId', $('ids'))),
  )
  for (const table of dependentTables) {
    await tx.run(`dependents.${table}`, { type, ids }, (db, $) =>
      db
        .deleteFrom(table)
        .where('targetType', '=', $('type') as never)
        .where(inList(`${table}.targetId`, $('ids'))),
    )
  }
  await removeEvents(tx, { type, ids })
}

/** Deletes the system notes on other items that refer to these, and the cross references. */
async function removeSystemNotes(tx: Transaction, { type, ids }: ItemsToDelete): Promise<void> {
  const source = { type, keys: ids.map(String) }
  const systemNotes = await tx.all('dependents.systemNotes', source, (db, $) =>
    db
      .selectFrom('notes')
      .where('notes.sourceType', '=', $('type'))
      .where(inList('notes.sourceKey', $('keys')))
      .select(['notes.id', 'notes.noteableType', 'notes.noteableId', 'notes.system']),
  )
  await deleteNotes(tx, systemNotes)
  await tx.run('dependents.references', source, (db, $) =>
    db
      .deleteFrom('crossReferences')
      .where('sourceType', '=', $('type'))
      .where(inList('crossReferences.sourceKey', $('keys'))),
  )
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
      .select(['notes.id', 'notes.noteableType', 'notes.noteableId', 'notes.system']),
  )
  return deleteNotes(tx, systemNotes)
}

/** Deletes the activity events about the items and their comments. */
async function removeEvents(tx: Transaction, { type, ids }: ItemsToDelete): Promise<void> {
  let removed = 0
  if (type !== 'epic') {
    const own = await tx.run('dependents.events', { type, ids }, (db, $) =>
      db
        .deleteFrom('events')
        .where('targetType', '=', $('type') as Exclude<typeof type, 'epic'>)
        .where(inList('events.targetId', $('ids'))),
    )
    removed += own.changes
  }
  const noteEvents = await tx.run('dependents.note-events', { type, ids }, (db, $) =>
    db
      .deleteFrom('events')
      .where('noteableType', '=', $('type'))
      .where(inList('events.noteableId', $('ids'))),
  )
  if (removed + noteEvents.changes > 0) touchStamp(tx, 'events')
}
