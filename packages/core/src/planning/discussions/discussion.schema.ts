import { z } from 'zod'
import { Note } from '../notes/note.schema.ts'

/** A thread of notes. */
export const Discussion = z.object({
  /** 40 hex digits. */
  id: z.string(),
  /** True for a single comment. */
  individual_note: z.boolean(),
  notes: z.array(Note),
})
export type Discussion = z.output<typeof Discussion>
