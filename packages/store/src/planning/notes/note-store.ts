import type { NoteType } from '@stithy/core'
import { sql } from 'kysely'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { jsonText, pick } from '../../platform/queries/sql.ts'
import type { Noteable, NoteRow, StoredNotePosition } from './note-row.ts'

/** A comment to create; timestamps in milliseconds. */
export interface NewNote {
  noteable: Noteable
  discussionId: string
  type: NoteType | null
  authorId: number
  body: string
  /** Its position in a diff, if any. */
  position?: StoredNotePosition | undefined
  createdAt: number
}

/** The columns that only system notes have. */
const noSystemColumns = {
  system: 0,
  action: null,
  params: null,
  sourceType: null,
  sourceKey: null,
  sourceProjectId: null,
} as const

/** Inserts a comment and returns its row. */
export async function insertNote(tx: Transaction, note: NewNote): Promise<NoteRow> {
  const { noteable, position, ...rest } = note
  const row = {
    ...rest,
    projectId: noteable.projectId,
    noteableType: noteable.type,
    noteableId: noteable.type === 'commit' ? null : noteable.id,
    commitId: noteable.type === 'commit' ? noteable.commitId : null,
    position: position === undefined ? null : jsonText(position.position),
    lineCode: position?.lineCode ?? null,
    updatedAt: note.createdAt,
  }
  const names = Object.keys(row).toSorted() as (keyof typeof row)[]
  const inserted = await tx.first('notes.insert', row, (db, $) =>
    db.insertInto('notes').values(pick($, names)).returning('id'),
  )
  if (inserted === undefined) throw new TypeError('An insert returned no row')
  return { ...row, ...noSystemColumns, id: inserted.id, resolvedAt: null, resolvedById: null }
}

/**
 * The text of a note, or what it begins with: null if the note was deleted. One query.
 * @param maxLength in code points
 */
export async function findNoteBody(
  q: Queries,
  noteId: number,
  maxLength?: number,
): Promise<string | null> {
  const isCut = maxLength !== undefined
  const args = { noteId, maxLength: maxLength ?? 0 }
  const row = await q.first(`notes.body|${isCut ? 'cut' : 'whole'}`, args, (db, $) => {
    const body = sql.ref<string>('notes.body')
    const start = sql<string>`substr(${body}, 1, ${$('maxLength')})`
    return db
      .selectFrom('notes')
      .where('notes.id', '=', $('noteId'))
      .select((isCut ? start : body).as('body'))
  })
  return row?.body ?? null
}

/** Updates the text of a note; false if it no longer exists. */
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

/** Moves up to `limit` notes from one user to another; returns how many. */
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
