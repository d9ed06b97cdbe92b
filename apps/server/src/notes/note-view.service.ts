import { type Note, notFound } from '@stithy/core'
import type { NoteRow } from '@stithy/store'
import type { App } from '../app.ts'
import type { Item } from '../items/item.ts'
import { userRefs } from '../users/user-views.service.ts'
import { type NoteContext, presentNote, presentNotes } from './note.presenter.ts'

/** A page of the notes of an item, with those who wrote and resolved them. One query. */
export async function showNotes(app: App, item: Item, rows: readonly NoteRow[]): Promise<Note[]> {
  return presentNotes(rows, await contextOf(app, item, rows))
}

/** One note. @throws DomainError `not_found` where its author is just being removed. */
export async function showNote(app: App, item: Item, row: NoteRow): Promise<Note> {
  const note = presentNote(row, await contextOf(app, item, [row]))
  if (note === undefined) throw notFound('Note')
  return note
}

/** What the notes of an item are presented with. One query. */
export async function contextOf(
  app: App,
  item: Item,
  rows: readonly NoteRow[],
): Promise<NoteContext> {
  const people = rows.flatMap(({ authorId, resolvedById }) => [authorId, resolvedById ?? authorId])
  return { authors: await userRefs(app, people), iid: iidOf(item) }
}

/** Commits and snippets have no number of their own. */
function iidOf(item: Item): number | null {
  return item.type === 'commit' || item.type === 'snippet' ? null : item.row.iid
}
