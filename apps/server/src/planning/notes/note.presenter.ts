import {
  type EventNote,
  isResolvable,
  type Note,
  noteableTypeName,
  noteTypeName,
  type Suggestion,
  takesSuggestions,
  type UserRef,
} from '@stithy/core'
import { timestampText } from '../../platform/http/timestamp.ts'
import type { ShownNoteRow } from './note-bodies.ts'
import { positionOf } from './stored-position.ts'

/** The related data of notes. */
export interface NoteContext {
  /** All authors and resolvers of the notes, by id. */
  authors: ReadonlyMap<number, UserRef>
  /** The rendered texts of the system notes, by note id. */
  texts: ReadonlyMap<number, string>
  /** The suggestions of those that have any, by note id. */
  suggestions: ReadonlyMap<number, Suggestion[]>
  /** The iid of their item; null if it has none. */
  iid: number | null
}

/** Presents notes; those without author or text in the context are left out. */
export function presentNotes(rows: readonly ShownNoteRow[], context: NoteContext): Note[] {
  return rows.flatMap((row) => presentNote(row, context) ?? [])
}

/** Presents a note; undefined if its author or text is not in the context. */
export function presentNote(row: ShownNoteRow, context: NoteContext): Note | undefined {
  const common = presentEventNote(row, context)
  if (common === undefined) return undefined
  const position = positionOf(row)
  const facts = { ...row, system: row.system === 1 }
  const resolvable = isResolvable(facts)
  return {
    ...common,
    type: noteTypeName(row.type),
    updated_at: timestampText(row.updatedAt),
    resolvable,
    ...(resolvable ? presentResolution(row, context) : {}),
    ...(position === undefined ? {} : { position }),
    ...(takesSuggestions(facts) ? { suggestions: context.suggestions.get(row.id) ?? [] } : {}),
  }
}

/** Presents a note within its event. */
export function presentEventNote(
  row: ShownNoteRow,
  context: Omit<NoteContext, 'suggestions'>,
): EventNote | undefined {
  const author = context.authors.get(row.authorId)
  const body = row.action === null ? row.body : context.texts.get(row.id)
  if (author === undefined || body === undefined) return undefined
  return {
    id: row.id,
    body,
    ...presentSize(row, body),
    attachment: null,
    author,
    created_at: timestampText(row.createdAt),
    system: row.system === 1,
    noteable_id: row.noteableId,
    noteable_type: noteableTypeName(row.noteableType),
    noteable_iid: context.iid,
    ...(row.commitId === null ? {} : { commit_id: row.commitId }),
  }
}

/** Present if texts are cut. */
function presentSize({ action, bodySize }: ShownNoteRow, body: string): { body_size?: number } {
  if (bodySize === undefined) return {}
  // The text of a system note is not that of its row, and never cut.
  return { body_size: action === null ? bodySize : Buffer.byteLength(body) }
}

/** The resolver may have been deleted. */
function presentResolution(row: ShownNoteRow, { authors }: NoteContext) {
  const { resolvedAt, resolvedById } = row
  const resolvedBy = resolvedById === null ? undefined : authors.get(resolvedById)
  return { resolved: resolvedAt !== null, resolved_by: resolvedBy ?? null }
}
