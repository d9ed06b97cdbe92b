import { hash } from 'node:crypto'
import { lineCode, type PlacedNote } from '@stithy/core'
import { fromJsonText, type NotePlace, type NoteRow, type StoredPosition } from '@stithy/store'

/** A place in a diff as it is kept. */
export function toPlace({ position, line }: PlacedNote): NotePlace {
  const code = line && lineCode(hash('sha1', position.new_path), line)
  return { position, lineCode: code }
}

/** Where in a diff a note stands, if it does. */
export function placeOf({
  position,
  lineCode: code,
}: Pick<NoteRow, 'position' | 'lineCode'>): NotePlace | undefined {
  if (position === null) return undefined
  return { position: fromJsonText<StoredPosition>(position), lineCode: code }
}
