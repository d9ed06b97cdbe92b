import { findNote, findNoteOn, type ListedNoteRow, listHiddenSystemNotes } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { DecidedCaller } from '../../platform/http/subjects.ts'
import { type Item, noteableOf } from '../items/item.ts'
import { discussionIdPattern } from './discussion-id.ts'

/**
 * The ids of system notes on an item that refer to something which the caller can't see. They are
 * left out of lists, totals and single reads. One query, none for commits.
 */
export async function hiddenSystemNotes(
  app: App,
  caller: DecidedCaller,
  item: Item,
): Promise<number[]> {
  if (item.type === 'commit') return []
  const noteable = { type: item.type, id: item.row.id }
  return listHiddenSystemNotes(app.db, noteable, { caller: caller.facts, today: dayOf(app.now()) })
}

/**
 * Finds a note of an item, in the given discussion if any; undefined for an unknown id, and for a
 * system note that is hidden from the caller.
 */
export async function findVisibleNote(
  app: App,
  caller: DecidedCaller,
  item: Item,
  { noteId, discussionId }: { noteId: number; discussionId: string | undefined },
): Promise<ListedNoteRow | undefined> {
  const note = await findIn(app, item, noteId, discussionId)
  if (note?.system !== 1) return note
  const hidden = await hiddenSystemNotes(app, caller, item)
  return hidden.includes(note.id) ? undefined : note
}

async function findIn(
  app: App,
  item: Item,
  noteId: number,
  discussionId: string | undefined,
): Promise<ListedNoteRow | undefined> {
  if (discussionId === undefined) return findNoteOn(app.db, noteableOf(item), noteId)
  if (!discussionIdPattern.test(discussionId)) return undefined
  return findNote(app.db, noteableOf(item), { discussionId, noteId })
}
