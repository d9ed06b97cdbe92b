import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { addToCount, isCounted } from '../items/item-counts.ts'
import type { NoteRow } from './note-row.ts'

/** The columns needed to delete a note. */
export type RemovableNote = Pick<NoteRow, 'id' | 'noteableType' | 'noteableId' | 'system'>

/** Those of a `RemovableNote`. */
export const removableColumns = ['id', 'noteableType', 'noteableId', 'system'] as const

/**
 * Deletes notes with their dependents, and lowers the counters of their items; a discussion is
 * deleted with its last note. Returns how many still existed, so that none is subtracted twice.
 */
export async function deleteNotes(
  tx: Transaction,
  notes: readonly RemovableNote[],
): Promise<number> {
  if (notes.length === 0) return 0
  const deleted = await tx.all('notes.delete', { ids: notes.map(({ id }) => id) }, (db, $) =>
    db
      .deleteFrom('notes')
      .where(inList('notes.id', $('ids')))
      .returning(removableColumns),
  )
  const ids = deleted.map(({ id }) => id)
  await tx.run('notes.awards', { ids }, (db, $) =>
    db
      .deleteFrom('awards')
      .where('targetType', '=', 'note')
      .where(inList('awards.targetId', $('ids'))),
  )
  await tx.run('notes.mentions', { ids }, (db, $) =>
    db.deleteFrom('mentions').where(inList('mentions.noteId', $('ids'))),
  )
  await clearEventTargets(tx, ids)
  await decrementCounters(tx, deleted)
  return deleted.length
}

/** The activity events of notes stay, without their target. */
async function clearEventTargets(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.run('notes.events', { ids }, (db, $) =>
    db
      .updateTable('events')
      .set({ targetId: null })
      .where('targetType', 'in', ['note', 'discussion_note', 'diff_note'])
      .where(inList('events.targetId', $('ids'))),
  )
}

/** Lowers the comment counters: items that lose the same number are updated together. */
async function decrementCounters(tx: Transaction, notes: readonly RemovableNote[]): Promise<void> {
  const comments = notes.filter((note) => note.system === 0)
  for (const [type, ofType] of Map.groupBy(comments, (note) => note.noteableType)) {
    if (!isCounted(type)) continue
    const byItem = Map.groupBy(ofType, (note) => note.noteableId ?? 0)
    const byNumber = Map.groupBy(byItem, ([, ofItem]) => ofItem.length)
    for (const [number, items] of byNumber) {
      const ids = items.map(([id]) => id)
      await addToCount(tx, { type, count: 'userNotesCount', ids, by: -number })
    }
  }
}

/** Deletes up to `limit` notes of a user, with their dependents; returns how many. */
export async function removeNotes(
  tx: Transaction,
  args: { userId: number; limit: number },
): Promise<number> {
  const notes = await tx.all('notes.of-author', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('authorId', '=', $('userId'))
      .orderBy('id')
      .limit($('limit'))
      .select(removableColumns),
  )
  return deleteNotes(tx, notes)
}

/** Lists up to `limit` notes on the commits of a project. */
export function listCommitNotes(
  q: Queries,
  args: { projectId: number; limit: number },
): Promise<RemovableNote[]> {
  return q.all('notes.of-commits', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('projectId', '=', $('projectId'))
      .where('commitId', 'is not', null)
      .limit($('limit'))
      .select(removableColumns),
  )
}
