import type { IncomingHttpHeaders } from 'node:http'
import { decideOnGroup, decideOnProject, forbidden, type NoteType, notFound } from '@stithy/core'
import {
  countComment,
  deleteNotes,
  holdItem,
  insertNote,
  makeThread,
  type NotePlace,
  type NoteRow,
  recordEvent,
  type Transaction,
  touchStamp,
  updateNote,
} from '@stithy/store'
import type { App } from '../app.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import { type Item, noteableOf } from '../items/item.ts'
import { applyTextEffects, planTextEffects } from '../mentions/text-effects.service.ts'
import { requireUnmodified } from '../namespaces/if-unmodified.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { runDeeds } from '../quick-actions/quick-action.service.ts'
import { finishTodos } from '../todos/todo.service.ts'
import { announceNote } from '../webhooks/item-hooks.ts'
import { newDiscussionId } from './discussion-id.ts'
import { runCommands } from './note-commands.service.ts'
import { requireNoteText } from './note-text.ts'

/** A note that somebody writes. */
export interface NoteDraft {
  body: string
  /** Null for a single comment. */
  type: NoteType | null
  /** The discussion that it joins; left out, it starts one. */
  discussionId?: string | undefined
  /** At a line of a diff. */
  place?: NotePlace | undefined
  /** Milliseconds, for a note that is older than now; who may say so is not looked at here. */
  createdAt?: number | undefined
}

/**
 * Writes a note with all that follows from it (catalogue: merge_requests, 7). On issues and merge requests
 * its quick actions are run before, also where nothing but them was written. Whether the caller may
 * comment is not looked at here.
 * @throws DomainError `bad_request` for a text that is none, also for one of commands alone; `not_found`
 *   where the item is gone meanwhile.
 */
export async function writeNote(
  app: App,
  caller: Caller,
  before: Item,
  draft: NoteDraft,
): Promise<NoteRow> {
  const authorId = requireCaller(caller).id
  requireNoteText(draft.body)
  const { text: body, item, afterwards } = await runCommands(app, caller, before, draft.body)
  const effects = await planTextEffects(app, caller, item, { text: body })
  const now = app.now()
  const { discussionId = newDiscussionId(), type, place, createdAt = now } = draft
  const written = await app.db.transaction(async (tx) => {
    await countOn(tx, item, now)
    if (draft.discussionId !== undefined) await makeThread(tx, { discussionId })
    const note = { discussionId, type, place, createdAt, authorId, body }
    const row = await insertNote(tx, { ...note, noteable: noteableOf(item) })
    await finishTodos(tx, { item, userId: authorId, at: now })
    await applyTextEffects(tx, effects, { noteId: row.id, at: createdAt })
    await tellOf(tx, item, row, now)
    tx.onCommit(app.wakeWorker)
    return row
  })
  if (item.type === 'issue' || item.type === 'merge_request') await runDeeds(afterwards, item)
  return written
}

/** Counts the comment where comments are counted. @throws DomainError `not_found` */
async function countOn(tx: Transaction, item: Item, at: number): Promise<void> {
  if (item.type === 'commit') return
  const { id } = item.row
  if (item.type === 'snippet') {
    if (!(await holdItem(tx, { type: 'snippet', id }))) throw notFound('Snippet')
    return
  }
  if (!(await countComment(tx, { type: item.type, id, at }))) throw notFound(itemNames[item.type])
}

const itemNames = { issue: 'Issue', merge_request: 'Merge Request', epic: 'Epic' } as const

/** Tells hooks and the activity of the project; epics are in none. */
async function tellOf(tx: Transaction, item: Item, note: NoteRow, now: number): Promise<void> {
  const { id, projectId, noteableType, noteableId } = note
  if (projectId === null) return
  const confidential = item.type === 'issue' && item.row.confidential === 1
  await announceNote(tx, note, { confidential, at: now })
  await recordEvent(tx, {
    projectId,
    authorId: note.authorId,
    action: 'commented',
    target: { type: note.type ?? 'note', id },
    noteable: { type: noteableType, id: noteableId },
    createdAt: now,
  })
  if (item.type === 'issue') await touchStamp(tx, 'issues')
  if (item.type === 'merge_request') await touchStamp(tx, 'mergeRequests')
}

/**
 * Holds a change of a note to its author and to maintainers; what the program remarked stays as it is.
 * @throws DomainError `forbidden`
 */
function requireAuthor(caller: Caller, item: Item, note: NoteRow): void {
  if (note.system === 1) throw forbidden()
  if (note.authorId === caller.facts.userId) return
  enforce(
    item.type === 'epic'
      ? decideOnGroup('moderate_epic_notes', caller.facts, item.group.facts)
      : item.project === undefined
        ? { allowed: caller.facts.admin }
        : decideOnProject('moderate_notes', caller.facts, item.project.facts),
    caller,
  )
}

/**
 * Changes the text of a note and answers it; only who is newly named in it is told.
 * @throws DomainError `bad_request`, `forbidden`, `not_found`
 */
export async function rewriteNote(
  app: App,
  caller: Caller,
  item: Item,
  note: NoteRow,
  body: string,
): Promise<NoteRow> {
  requireAuthor(caller, item, note)
  requireNoteText(body)
  const effects = await planTextEffects(app, caller, item, { text: body, previous: note.body })
  const now = app.now()
  await app.db.transaction(async (tx) => {
    if (!(await updateNote(tx, { noteId: note.id, body, now }))) throw notFound('Note')
    await applyTextEffects(tx, effects, { noteId: note.id, at: now })
  })
  return { ...note, body, updatedAt: now }
}

/**
 * Deletes a note. Its event stays, and tells of no note any more.
 * @throws DomainError `forbidden`, `precondition_failed`, `not_found`
 */
export async function removeNote(
  app: App,
  caller: Caller,
  item: Item,
  note: NoteRow,
  headers: IncomingHttpHeaders,
): Promise<undefined> {
  requireAuthor(caller, item, note)
  requireUnmodified(headers, note.updatedAt)
  const gone = await app.db.transaction((tx) => deleteNotes(tx, [note]))
  if (gone === 0) throw notFound('Note')
  return undefined
}
