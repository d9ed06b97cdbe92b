import type { IncomingHttpHeaders } from 'node:http'
import { type NoteType, notFound } from '@stithy/core'
import {
  convertToThread,
  countComment,
  deleteNotes,
  findNoteBody,
  findThreadPosition,
  insertNote,
  insertSuggestions,
  type ListedNoteRow,
  lockItemRow,
  type NoteRow,
  type Queries,
  replaceSuggestions,
  type StoredNotePosition,
  type Transaction,
  updateNote,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { type Item, noteableOf } from '../items/item.ts'
import { planTextEffects } from '../mentions/text-effects.service.ts'
import { runDeferredActions } from '../quick-actions/quick-action.service.ts'
import { newDiscussionId } from './discussion-id.ts'
import { runCommands } from './note-commands.service.ts'
import { hasSuggestions, planNoteSuggestions, suggestionsAt } from './note-suggestions.service.ts'
import { requireNoteText } from './note-text.ts'
import { storedPosition } from './stored-position.ts'

/** A note to write. */
export interface NoteDraft {
  body: string
  /** Null for a single comment. */
  type: NoteType | null
  /** The discussion to reply in; undefined starts a new one. */
  discussionId?: string | undefined
  /** Of a new discussion on a diff; a reply has the one of its discussion. */
  position?: StoredNotePosition | undefined
  /** Milliseconds, for a backdated note; the caller checks who may set it. */
  createdAt?: number | undefined
}

/**
 * Writes a note that the caller may write. Its quick actions are executed first, even if the note
 * consists of nothing else.
 * @throws DomainError `bad_request` for an invalid text, or one of commands only; `not_found` if
 *   the item was deleted concurrently.
 */
export async function writeNote(
  app: App,
  caller: Caller,
  before: Item,
  draft: NoteDraft,
): Promise<NoteRow> {
  const authorId = requireCaller(caller).id
  requireNoteText(draft.body)
  const { text: body, item, deferredActions } = await runCommands(app, caller, before, draft.body)
  const texts = await planTextEffects(app, caller, item, { text: body })
  const planned = await planNoteSuggestions(app, item, body, () => positionIn(app.db, draft))
  const now = app.now()
  const { discussionId = newDiscussionId(), type, createdAt = now } = draft
  const written = await app.db.transaction(async (tx) => {
    await countCommentOn(tx, item, now)
    if (draft.discussionId !== undefined) await convertToThread(tx, { discussionId })
    const position = await positionIn(tx, draft)
    const note = { discussionId, type, position, createdAt, authorId, body }
    const row = await insertNote(tx, { ...note, noteable: noteableOf(item) })
    await insertSuggestions(tx, { noteId: row.id }, suggestionsAt(planned, position?.position))
    const by = { userId: authorId, at: createdAt, now }
    await recordChange(tx, { kind: 'note.created', ...by, item, note: row, texts })
    return row
  })
  if (item.type !== 'commit' && item.type !== 'snippet')
    await runDeferredActions(deferredActions, item)
  return written
}

/** The position of the new note. That of a discussion is read under the lock that updates hold. */
async function positionIn(
  q: Queries,
  { discussionId, type, position }: NoteDraft,
): Promise<StoredNotePosition | undefined> {
  if (discussionId === undefined || type !== 'diff_note') return position
  return findPosition(q, { discussionId })
}

async function findPosition(
  q: Queries,
  { discussionId }: Pick<NoteRow, 'discussionId'>,
): Promise<StoredNotePosition | undefined> {
  const shared = await findThreadPosition(q, { discussionId })
  return shared && storedPosition(shared)
}

/** Locks the item and counts the comment, if it has a count. @throws DomainError `not_found` */
async function countCommentOn(tx: Transaction, item: Item, at: number): Promise<void> {
  if (item.type === 'commit') return
  const { id } = item.row
  if (item.type === 'snippet') {
    if (!(await lockItemRow(tx, { type: 'snippet', id }))) throw notFound('Snippet')
    return
  }
  if (!(await countComment(tx, { type: item.type, id, at }))) throw notFound(itemNames[item.type])
}

const itemNames = { issue: 'Issue', merge_request: 'Merge Request', epic: 'Epic' } as const

/**
 * Changes the text of a note that the caller may update, and returns it; only newly mentioned users
 * get a todo.
 * @throws DomainError `bad_request`, `not_found`
 */
export async function rewriteNote(
  app: App,
  caller: Caller,
  item: Item,
  note: ListedNoteRow,
  body: string,
): Promise<NoteRow> {
  requireNoteText(body)
  const previous = note.body ?? (await findNoteBody(app.db, note.id)) ?? ''
  const texts = await planTextEffects(app, caller, item, { text: body, previous })
  const planned = await planNoteSuggestions(app, item, body, () => findPosition(app.db, note))
  const now = app.now()
  await app.db.transaction(async (tx) => {
    if (!(await updateNote(tx, { noteId: note.id, body, now }))) throw notFound('Note')
    if (planned.suggestions.length > 0 || hasSuggestions(note)) {
      const suggestions = suggestionsAt(planned, (await findPosition(tx, note))?.position)
      await replaceSuggestions(tx, { noteId: note.id }, suggestions)
    }
    const by = { userId: requireCaller(caller).id, at: now, now }
    await recordChange(tx, { kind: 'note.updated', ...by, item, note: { ...note, body }, texts })
  })
  return { ...note, body, updatedAt: now }
}

/**
 * Deletes a note that the caller may delete. Its event stays, without the note.
 * @throws DomainError `precondition_failed`, `not_found`
 */
export async function removeNote(
  app: App,
  note: ListedNoteRow,
  headers: IncomingHttpHeaders,
): Promise<undefined> {
  requireUnmodified(headers, note.updatedAt)
  const deleted = await app.db.transaction((tx) => deleteNotes(tx, [note]))
  if (deleted === 0) throw notFound('Note')
  return undefined
}
