import { findNoteBody, type ListedNoteRow, type NoteRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { listedText } from '../../platform/http/listed-text.ts'

/** A note with its text, as responses show it. */
export interface ShownNoteRow extends NoteRow {
  /** Of the whole text in bytes; defined if texts are cut. */
  bodySize?: number | undefined
}

/**
 * Notes with their texts, of which long ones are read when they are written.
 * @param maxLength what texts are cut to, in characters
 */
export function withBodies(
  app: App,
  rows: readonly ListedNoteRow[],
  maxLength?: number,
): ShownNoteRow[] {
  return rows.map((row) => withBody(app, row, maxLength))
}

/** `withBodies` for one note. */
export function withBody(app: App, row: ListedNoteRow, maxLength?: number): ShownNoteRow {
  const { body: text, bodyBytes: bytes } = row
  const read = () => findNoteBody(app.db, row.id, maxLength)
  const body = listedText({ text, bytes, read }, maxLength) ?? ''
  if (maxLength === undefined) return { ...row, body }
  return { ...row, body, bodySize: bytes ?? Buffer.byteLength(text ?? '') }
}
