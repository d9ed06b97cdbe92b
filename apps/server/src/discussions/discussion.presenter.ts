import type { Discussion } from '@stithy/core'
import type { DiscussionRows } from '@stithy/store'
import { type NoteContext, presentNotes } from '../notes/note.presenter.ts'

/** Discussions as they go over the wire (document 1, Discussion and note). */
export function presentDiscussions(
  discussions: readonly DiscussionRows[],
  context: NoteContext,
): Discussion[] {
  return discussions.map((discussion) => presentDiscussion(discussion, context))
}

/** One discussion; a note that belongs to no thread makes one of its own. */
export function presentDiscussion({ id, notes }: DiscussionRows, context: NoteContext): Discussion {
  return {
    id,
    individual_note: notes.every((note) => note.type === null),
    notes: presentNotes(notes, context),
  }
}
