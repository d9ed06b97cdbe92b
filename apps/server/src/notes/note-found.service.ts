import { notFound } from '@stithy/core'
import { findNote, findNoteOn, listHiddenRemarks, type NoteRow } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { type Item, noteableOf } from '../items/item.ts'
import { dayOf } from '../members/day.ts'
import { discussionIdPattern } from './discussion-id.ts'

/**
 * The remarks on an item that tell of something which the caller cannot see, by their ids: they are in no
 * list, no total and no single read (catalogue: issues, 4). One query, none for commits.
 */
export async function hiddenRemarks(app: App, caller: Caller, item: Item): Promise<number[]> {
  if (item.type === 'commit') return []
  const target = { targetType: item.type, targetId: item.row.id }
  return listHiddenRemarks(app.db, target, { caller: caller.facts, today: dayOf(app.now()) })
}

/**
 * A note of an item, in the discussion of that id where one is named.
 * @throws DomainError `not_found`, also for a remark that the caller may not see.
 */
export async function requireNote(
  app: App,
  caller: Caller,
  item: Item,
  { note_id: noteId, discussion_id: discussionId }: { note_id: number; discussion_id?: string },
): Promise<NoteRow> {
  const note = await findIn(app, item, noteId, discussionId)
  if (note === undefined) throw notFound('Note')
  if (note.system === 1) {
    const hidden = await hiddenRemarks(app, caller, item)
    if (hidden.includes(note.id)) throw notFound('Note')
  }
  return note
}

async function findIn(
  app: App,
  item: Item,
  noteId: number,
  discussionId: string | undefined,
): Promise<NoteRow | undefined> {
  if (discussionId === undefined) return findNoteOn(app.db, noteableOf(item), noteId)
  if (!discussionIdPattern.test(discussionId)) return undefined
  return findNote(app.db, noteableOf(item), { discussionId, noteId })
}
