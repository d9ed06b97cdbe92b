import { type Discussion, type Note, notFound } from '@stithy/core'
import type { DiscussionRows, NoteRow } from '@stithy/store'
import type { App } from '../app.ts'
import { type NoteContext, presentNote, presentNotes } from '../notes/note.presenter.ts'
import { userRefs } from '../users/user-views.service.ts'
import { presentDiscussion, presentDiscussions } from './discussion.presenter.ts'

/** A page of discussions with the authors of their notes. One query. */
export async function showDiscussions(
  app: App,
  rows: readonly DiscussionRows[],
): Promise<Discussion[]> {
  return presentDiscussions(
    rows,
    await contextOf(
      app,
      rows.flatMap(({ notes }) => notes),
    ),
  )
}

/** One discussion with the authors of its notes. One query. */
export async function showDiscussion(app: App, rows: DiscussionRows): Promise<Discussion> {
  return presentDiscussion(rows, await contextOf(app, rows.notes))
}

/** A page of notes with their authors. One query. */
export async function showNotes(app: App, rows: readonly NoteRow[]): Promise<Note[]> {
  return presentNotes(rows, await contextOf(app, rows))
}

/** One note with its author. @throws DomainError `not_found` where that one is just being removed. */
export async function showNote(app: App, row: NoteRow): Promise<Note> {
  const note = presentNote(row, await contextOf(app, [row]))
  if (note === undefined) throw notFound('Note')
  return note
}

/** Commits have no number of their own. */
async function contextOf(app: App, rows: readonly NoteRow[]): Promise<NoteContext> {
  const authors = await userRefs(
    app,
    rows.map((row) => row.authorId),
  )
  return { authors, iid: null }
}
