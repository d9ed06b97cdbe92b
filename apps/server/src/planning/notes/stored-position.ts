import { hash } from 'node:crypto'
import { type DiffLine, lineCode, type NotePosition } from '@stithy/core'
import {
  fromJsonText,
  type NoteRow,
  type StoredNotePosition,
  type StoredPosition,
} from '@stithy/store'

/** A position with its line in the diff; an image has none. */
interface PlacedPosition {
  position: StoredPosition
  line: Pick<DiffLine, 'oldLine' | 'newLine'> | null
}

/** The stored form of a position in a diff. */
export function toStoredPosition({ position, line }: PlacedPosition): StoredNotePosition {
  const code = line && lineCode(pathHash(position.new_path), line)
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

/** The position of a note in a diff, without what only the server uses; undefined if it has none. */
export function positionOf(note: Pick<NoteRow, 'position' | 'lineCode'>): NotePosition | undefined {
  const stored = storedPosition(note)
  if (stored === undefined) return undefined
  const { side: _, outdated: __, ...position } = stored.position
  return position
}

/** SHA-1 of the path of a file, in hex: identifies it in the addresses of a diff. */
export function pathHash(path: string): string {
  return hash('sha1', path)
}
