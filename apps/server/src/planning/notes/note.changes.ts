import type { NoteRow } from '@stithy/store'
import type { Item } from '../items/item.ts'
import type { TextEffects } from '../mentions/text-effects.service.ts'

interface NoteChange {
  userId: number
  item: Item
  note: NoteRow
  /** The mentions in its text. */
  texts: TextEffects
}

declare module '../../platform/changes/change.ts' {
  interface Changes {
    /** `now` is when it was written, `at` its `created_at`. */
    'note.created': NoteChange
    'note.updated': NoteChange
  }
}
