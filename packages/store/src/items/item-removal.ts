import { dropClosings } from '../merge-requests/closing-store.ts'
import { deleteNotes } from '../notes/note-removal.ts'
import type { Transaction } from '../queries.ts'
import { inList } from '../sql.ts'
import { touchStamp } from '../stamps.ts'
import { holdItems, type ItemType } from './kept-counts.ts'

/** Items of one kind that go; any number of them, though in batches where there are many. */
export interface DoomedItems {
  type: ItemType
  ids: readonly number[]
}

/** Tables whose rows name an item by `targetType` and `targetId`. */
const hanging = [
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
 * Removes what hangs on items that go: their notes with the awards of these, their own awards, todos,
 * subscriptions, mentions, cross references, labels, label events, time logs and activity events (catalogue:
 * issues, 2.1), and elsewhere the remarks that told of them, since nobody could say any more who may see
 * those. Belongs into the transaction that removes the items, before they are removed.
 */
export async function removeItemLeavings(
  tx: Transaction,
  { type, ids }: DoomedItems,
): Promise<void> {
  if (ids.length === 0) return
  await holdItems(tx, { type, ids })
  await removeRemarks(tx, { type, ids })
  if (type === 'merge_request') await dropClosings(tx, ids)
  await tx.run('leavings.note-awards', { type, ids }, (db, $) =>
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
  await tx.run('leavings.notes', { type, ids }, (db, $) =>
    db
      .deleteFrom('notes')
      .where('noteableType', '=', $('type'))
      .where(inList('notes.noteableId', $('ids'))),
  )
  for (const table of hanging) {
    await tx.run(`leavings.${table}`, { type, ids }, (db, $) =>
      db
        .deleteFrom(table)
        .where('targetType', '=', $('type') as never)
        .where(inList(`${table}.targetId`, $('ids'))),
    )
  }
  await removeEvents(tx, { type, ids })
}

/** The remarks on other things that tell of these, and that they were named there. */
async function removeRemarks(tx: Transaction, { type, ids }: DoomedItems): Promise<void> {
  const source = { type, keys: ids.map(String) }
  const remarks = await tx.all('leavings.remarks', source, (db, $) =>
    db
      .selectFrom('remarkSources')
      .innerJoin('notes', 'notes.id', 'remarkSources.noteId')
      .where('remarkSources.sourceType', '=', $('type'))
      .where(inList('remarkSources.sourceKey', $('keys')))
      .select(['notes.id', 'notes.noteableType', 'notes.noteableId', 'notes.system']),
  )
  await deleteNotes(tx, remarks)
  await tx.run('leavings.references', source, (db, $) =>
    db
      .deleteFrom('crossReferences')
      .where('sourceType', '=', $('type'))
      .where(inList('crossReferences.sourceKey', $('keys'))),
  )
}

/** Removes up to `limit` of the remarks that tell of commits and branches of a project; answers how many. */
export async function removeCodeRemarks(
  tx: Transaction,
  args: { projectId: number; limit: number },
): Promise<number> {
  const remarks = await tx.all('leavings.code-remarks', args, (db, $) =>
    db
      .selectFrom('remarkSources')
      .innerJoin('notes', 'notes.id', 'remarkSources.noteId')
      .where('remarkSources.sourceProjectId', '=', $('projectId'))
      .where('remarkSources.sourceType', 'in', ['commit', 'code'])
      .limit($('limit'))
      .select(['notes.id', 'notes.noteableType', 'notes.noteableId', 'notes.system']),
  )
  return deleteNotes(tx, remarks)
}

/** What was done to the items, and said on them. */
async function removeEvents(tx: Transaction, { type, ids }: DoomedItems): Promise<void> {
  let removed = 0
  if (type !== 'epic') {
    const own = await tx.run('leavings.events', { type, ids }, (db, $) =>
      db
        .deleteFrom('events')
        .where('targetType', '=', $('type') as Exclude<typeof type, 'epic'>)
        .where(inList('events.targetId', $('ids'))),
    )
    removed += own.changes
  }
  const said = await tx.run('leavings.note-events', { type, ids }, (db, $) =>
    db
      .deleteFrom('events')
      .where('noteableType', '=', $('type'))
      .where(inList('events.noteableId', $('ids'))),
  )
  if (removed + said.changes > 0) await touchStamp(tx, 'events')
}
