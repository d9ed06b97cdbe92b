import type { NoteType } from '@stithy/core'
import type { Transaction } from '../queries.ts'
import { toFlag } from '../schema/flag.ts'
import { jsonText, pick } from '../sql.ts'
import type { Noteable, NotePlace, NoteRow } from './note-row.ts'

/** A note to be written; instants in milliseconds. */
export interface NewNote {
  noteable: Noteable
  discussionId: string
  type: NoteType | null
  authorId: number
  body: string
  /** Where in a diff it stands, if it does. */
  place?: NotePlace | undefined
  /** Whether the program remarks it. */
  system?: boolean
  createdAt: number
}

/** Writes a note and answers it. */
export async function insertNote(tx: Transaction, note: NewNote): Promise<NoteRow> {
  const { noteable, place, system = false, ...rest } = note
  const row = {
    ...rest,
    system: toFlag(system),
    projectId: noteable.projectId,
    noteableType: noteable.type,
    noteableId: noteable.type === 'commit' ? null : noteable.id,
    commitId: noteable.type === 'commit' ? noteable.commitId : null,
    position: place === undefined ? null : jsonText(place.position),
    lineCode: place?.lineCode ?? null,
    updatedAt: note.createdAt,
  }
  const names = Object.keys(row).toSorted() as (keyof typeof row)[]
  const inserted = await tx.first('notes.insert', row, (db, $) =>
    db.insertInto('notes').values(pick($, names)).returning('id'),
  )
  if (inserted === undefined) throw new TypeError('An insert answered no row')
  return { ...row, id: inserted.id, resolvedAt: null, resolvedById: null }
}

/** Changes the text of a note; false where it is gone. */
export async function updateNote(
  tx: Transaction,
  args: { noteId: number; body: string; now: number },
): Promise<boolean> {
  const { changes } = await tx.run('notes.update', args, (db, $) =>
    db
      .updateTable('notes')
      .set({ body: $('body'), updatedAt: $('now') })
      .where('id', '=', $('noteId')),
  )
  return changes > 0
}

/** Gives up to `limit` notes of one user to another; answers how many. */
export async function moveNotes(
  tx: Transaction,
  args: { from: number; to: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('notes.move', args, (db, $) =>
    db
      .updateTable('notes')
      .set({ authorId: $('to') })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('notes')
          .select('notes.id')
          .where('notes.authorId', '=', $('from'))
          .limit($('limit')),
      ),
  )
  return changes
}
