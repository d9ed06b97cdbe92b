import { hash } from 'node:crypto'
import { lineCode, type PositionedNote } from '@stithy/core'
import {
  fromJsonText,
  type NoteRow,
  type StoredNotePosition,
  type StoredPosition,
} from '@stithy/store'

/** The stored form of a position in a diff. */
export function toStoredPosition({ position, line }: PositionedNote): StoredNotePosition {
  const code = line && lineCode(hash('sha1', position.new_path), line)
  return { position, lineCode: code }
}

/** The position of a note in a diff; undefined if it has none. */
export function storedPosition({
  position,
  lineCode: code,
}: Pick<NoteRow, 'position' | 'lineCode'>): StoredNotePosition | undefined {
  if (position === null) return undefined
  return { position: fromJsonText<StoredPosition>(position), lineCode: code }
}
