import { type Note, notFound } from '@stithy/core'
import type { ListedNoteRow } from '@stithy/store'
import { userRefs } from '../../directory/users/user-views.service.ts'
import type { App } from '../../platform/app.ts'
import type { Item } from '../items/item.ts'
import { systemNoteTexts } from '../system-notes/system-note-texts.service.ts'
import { type NoteContext, presentNote, presentNotes } from './note.presenter.ts'
import { withBodies, withBody } from './note-bodies.ts'
import { viewSuggestions } from './note-suggestions.service.ts'

/**
 * A page of the notes of an item, with their authors and resolvers. At most three queries.
 * @param maxBodyLength what their texts are cut to, in characters
 */
export async function viewNotes(
  app: App,
  item: Item,
  rows: readonly ListedNoteRow[],
  maxBodyLength?: number,
): Promise<Note[]> {
  const context = await loadNoteContext(app, item, rows)
  return presentNotes(withBodies(app, rows, maxBodyLength), context)
}

/** One note. @throws DomainError `not_found` if its author or source is deleted concurrently. */
export async function viewNote(
  app: App,
  item: Item,
  row: ListedNoteRow,
  maxBodyLength?: number,
): Promise<Note> {
  const context = await loadNoteContext(app, item, [row])
  const note = presentNote(withBody(app, row, maxBodyLength), context)
  if (note === undefined) throw notFound('Note')
  return note
}

/**
 * Loads the related data of notes. One query, one more if system notes mention anything, and one
 * more if there are suggestions.
 */
export async function loadNoteContext(
  app: App,
  item: Item,
  rows: readonly ListedNoteRow[],
): Promise<NoteContext> {
  const userIds = rows.flatMap(({ authorId, resolvedById }) => [authorId, resolvedById ?? authorId])
  const texts = await systemNoteTexts(app, rows)
  const suggestions = await viewSuggestions(app, item, rows)
  return { authors: await userRefs(app, userIds), texts, suggestions, iid: iidOf(item) }
}

/** Commits and snippets have no iid. */
function iidOf(item: Item): number | null {
  return item.type === 'commit' || item.type === 'snippet' ? null : item.row.iid
}
