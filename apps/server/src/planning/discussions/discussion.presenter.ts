import type { Discussion } from '@stithy/core'
import type { DiscussionRows } from '@stithy/store'
import { type NoteContext, presentNotes } from '../notes/note.presenter.ts'

export function presentDiscussions(
  discussions: readonly DiscussionRows[],
  context: NoteContext,
): Discussion[] {
  return discussions.map((discussion) => presentDiscussion(discussion, context))
}

/** Presents a discussion; a note outside of threads is a separate discussion. */
export function presentDiscussion({ id, notes }: DiscussionRows, context: NoteContext): Discussion {
  return {
    id,
    individual_note: notes.every((note) => note.type === null),
    notes: presentNotes(notes, context),
  }
}
