import type { Discussion } from '@stithy/core'
import { type NoteContext, presentNotes } from '../notes/note.presenter.ts'
import type { ShownNoteRow } from '../notes/note-bodies.ts'

interface ShownDiscussion {
  id: string
  notes: readonly ShownNoteRow[]
}

/** Presents a discussion; a note outside of threads is a separate discussion. */
export function presentDiscussion(
  { id, notes }: ShownDiscussion,
  context: NoteContext,
): Discussion {
  return {
    id,
    individual_note: notes.every((note) => note.type === null),
    notes: presentNotes(notes, context),
  }
}
