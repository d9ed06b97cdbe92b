import {
  type EventNote,
  isResolvable,
  type Note,
  type NotePosition,
  noteableTypeName,
  noteTypeName,
  type UserRef,
} from '@stithy/core'
import type { NoteRow, StoredPosition } from '@stithy/store'
import { instantText } from '../http/instant.ts'
import { placeOf } from './note-place.ts'

/** What notes are presented with. */
export interface NoteContext {
  /** All of their authors, and those who resolved them. */
  authors: ReadonlyMap<number, UserRef>
  /** The number, within its project, of the thing that they are on; null where it has none. */
  iid: number | null
}

/** Notes as they go over the wire (document 1, Discussion and note). */
export function presentNotes(rows: readonly NoteRow[], context: NoteContext): Note[] {
  return rows.flatMap((row) => presentNote(row, context) ?? [])
}

/** One note; undefined where its author is not in the context. */
export function presentNote(row: NoteRow, context: NoteContext): Note | undefined {
  const common = presentEventNote(row, context)
  if (common === undefined) return undefined
  const place = placeOf(row)
  const resolvable = isResolvable({ ...row, system: row.system === 1 })
  return {
    ...common,
    type: noteTypeName(row.type),
    updated_at: instantText(row.updatedAt),
    resolvable,
    ...(resolvable ? presentResolution(row, context) : {}),
    ...(place === undefined ? {} : { position: presentPosition(place.position) }),
  }
}

/** A note inside the event that tells of it (document 1, Activity event). */
export function presentEventNote(row: NoteRow, context: NoteContext): EventNote | undefined {
  const author = context.authors.get(row.authorId)
  if (author === undefined) return undefined
  return {
    id: row.id,
    body: row.body,
    attachment: null,
    author,
    created_at: instantText(row.createdAt),
    system: row.system === 1,
    noteable_id: row.noteableId,
    noteable_type: noteableTypeName(row.noteableType),
    noteable_iid: context.iid,
    ...(row.commitId === null ? {} : { commit_id: row.commitId }),
  }
}

/** Who resolved it may be gone since. */
function presentResolution(row: NoteRow, { authors }: NoteContext) {
  const { resolvedAt, resolvedById } = row
  const resolvedBy = resolvedById === null ? undefined : authors.get(resolvedById)
  return { resolved: resolvedAt !== null, resolved_by: resolvedBy ?? null }
}

function presentPosition({ side: _, ...position }: StoredPosition): NotePosition {
  return position
}
