import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { decideOnProject, forbidden, type NoteType, notFound } from '@stithy/core'
import {
  deleteNote,
  insertNote,
  type Noteable,
  type NotePlace,
  type NoteRow,
  recordEvent,
  refreshProjectActivity,
  type Transaction,
  updateNote,
} from '@stithy/store'
import type { App } from '../app.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import { requireUnmodified } from '../namespaces/if-unmodified.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { enqueueHooks } from '../webhooks/webhook-events.ts'

/** A note that somebody writes. */
export interface NoteDraft {
  noteable: Noteable
  discussionId: string
  type: NoteType | null
  body: string
  /** At a line of a diff. */
  place?: NotePlace | undefined
  /** Milliseconds, for a note that is older than now. */
  createdAt?: number | undefined
}

/** The id of a thread that begins: 40 hex digits. */
export function newDiscussionId(): string {
  return randomBytes(20).toString('hex')
}

/** Writes a note with all that follows from it (catalogue: merge_requests, 7). */
export async function writeNote(app: App, caller: Caller, draft: NoteDraft): Promise<NoteRow> {
  const { createdAt, ...note } = draft
  const authorId = requireCaller(caller).id
  const now = app.now()
  return app.db.transaction(async (tx) => {
    const row = await insertNote(tx, {
      ...note,
      authorId,
      createdAt: createdAt ?? now,
    })
    await followNote(tx, row, now)
    tx.onCommit(app.wakeWorker)
    return row
  })
}

async function followNote(tx: Transaction, note: NoteRow, now: number): Promise<void> {
  const { id, projectId, noteableType, noteableId } = note
  if (projectId !== null) {
    await refreshProjectActivity(tx, { projectId, now })
    await enqueueHooks(tx, { projectId, event: 'note', at: now }, () => ({ note }))
  }
  await recordEvent(tx, {
    projectId,
    authorId: note.authorId,
    action: 'commented',
    target: { type: note.type ?? 'note', id },
    noteable: { type: noteableType, id: noteableId },
    createdAt: now,
  })
}

/**
 * Holds a change of a note to its author and to maintainers; what the program remarked stays as it is.
 * @throws DomainError `forbidden`
 */
function requireAuthor(caller: Caller, { facts }: ProjectSubject, note: NoteRow): void {
  if (note.system === 1) throw forbidden()
  if (note.authorId === caller.facts.userId) return
  enforce(decideOnProject('moderate_notes', caller.facts, facts), caller)
}

/** Changes the text of a note and answers it. @throws DomainError `forbidden`, `not_found` */
export async function rewriteNote(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  note: NoteRow,
  body: string,
): Promise<NoteRow> {
  requireAuthor(caller, subject, note)
  const now = app.now()
  const change = { noteId: note.id, body, now }
  if (!(await app.db.transaction((tx) => updateNote(tx, change)))) throw notFound('Note')
  return { ...note, body, updatedAt: now }
}

/**
 * Deletes a note. Its event stays, and tells of no note any more.
 * @throws DomainError `forbidden`, `precondition_failed`, `not_found`
 */
export async function removeNote(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  note: NoteRow,
  headers: IncomingHttpHeaders,
): Promise<undefined> {
  requireAuthor(caller, subject, note)
  requireUnmodified(headers, note.updatedAt)
  const gone = { noteId: note.id }
  if (!(await app.db.transaction((tx) => deleteNote(tx, gone)))) throw notFound('Note')
  return undefined
}
