import {
  type AskedPosition,
  decideOnProject,
  invalidNote,
  invalidParameter,
  noteRefused,
  noteTextProblem,
  notFound,
  placeNote,
  requirePositionPath,
  takesReplies,
} from '@stithy/core'
import type { Commit } from '@stithy/git'
import {
  type DiscussionRows,
  findDiscussion,
  findNote,
  type Noteable,
  type NotePlace,
  type NoteRow,
} from '@stithy/store'
import type { App } from '../app.ts'
import { requireCommit } from '../commits/commit.service.ts'
import type { Caller } from '../http/call.ts'
import { diffRefsOf, findChangedFile } from '../notes/commit-diff.service.ts'
import { newDiscussionId, rewriteNote, writeNote } from '../notes/note.service.ts'
import { placeOf, toPlace } from '../notes/note-place.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'

/** A commit that is discussed. */
export interface DiscussedCommit {
  commit: Commit
  noteable: Noteable
}

/** The commit of a hash, branch or tag, as notes name it. @throws DomainError `not_found` */
export async function requireDiscussed(
  app: App,
  { row }: ProjectSubject,
  sha: string,
): Promise<DiscussedCommit> {
  const commit = await requireCommit(app, row, sha)
  return { commit, noteable: { type: 'commit', projectId: row.id, commitId: commit.oid } }
}

/** What ids of discussions look like; anything else is found nowhere. */
const discussionIdPattern = /^[0-9a-f]{40}$/

/** @throws DomainError `not_found` */
export async function requireDiscussion(
  app: App,
  noteable: Noteable,
  discussionId: string,
): Promise<DiscussionRows> {
  if (!discussionIdPattern.test(discussionId)) throw notFound('Discussion')
  const discussion = await findDiscussion(app.db, noteable, discussionId)
  if (discussion === undefined) throw notFound('Discussion')
  return discussion
}

/** @throws DomainError `not_found` */
export async function requireNote(
  app: App,
  noteable: Noteable,
  { discussion_id: discussionId, note_id: noteId }: { discussion_id: string; note_id: number },
): Promise<NoteRow> {
  const note = discussionIdPattern.test(discussionId)
    ? await findNote(app.db, noteable, { discussionId, noteId })
    : undefined
  if (note === undefined) throw notFound('Note')
  return note
}

/** What starts a discussion or replies in one, as callers ask for it. */
export interface NoteRequest {
  body: string
  /** Milliseconds. */
  created_at?: number | undefined
  position?: AskedPosition | undefined
}

/** Starts a discussion and answers its first note. @throws DomainError `bad_request` */
export async function startDiscussion(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  { commit, noteable }: DiscussedCommit,
  request: NoteRequest,
  signal: AbortSignal,
): Promise<NoteRow> {
  requireText(request.body)
  const { position } = request
  const place = position && (await placeIn(app, subject, commit, position, signal))
  return writeNote(app, caller, {
    noteable,
    discussionId: newDiscussionId(),
    type: place === undefined ? 'discussion_note' : 'diff_note',
    body: request.body,
    createdAt: dateOf(caller, subject, request),
    place,
  })
}

async function placeIn(
  app: App,
  { row }: ProjectSubject,
  commit: Commit,
  asked: AskedPosition,
  signal: AbortSignal,
): Promise<NotePlace> {
  const path = requirePositionPath(asked, diffRefsOf(commit))
  return toPlace(placeNote(asked, await findChangedFile(app, row, commit, path, signal)))
}

/**
 * Replies in a discussion and answers the note. A reply at a line of a diff stands where the first note
 * does. @throws DomainError `bad_request`
 */
export async function reply(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  noteable: Noteable,
  { id, notes }: DiscussionRows,
  request: NoteRequest,
): Promise<NoteRow> {
  requireText(request.body)
  const [first] = notes
  if (first === undefined || !takesReplies({ ...first, system: first.system === 1 })) {
    throw noteRefused('Discussion can not be replied to.')
  }
  return writeNote(app, caller, {
    noteable,
    discussionId: id,
    type: first.type ?? 'discussion_note',
    body: request.body,
    createdAt: dateOf(caller, subject, request),
    place: placeOf(first),
  })
}

/** When a note was written: what is asked for counts for administrators and owners. */
function dateOf(caller: Caller, { facts }: ProjectSubject, request: NoteRequest) {
  const mayDate = decideOnProject('set_note_dates', caller.facts, facts).allowed
  return mayDate ? request.created_at : undefined
}

/** @throws DomainError `bad_request` */
function requireText(body: string): void {
  const problem = noteTextProblem(body)
  if (problem !== undefined) throw invalidNote({ note: [problem] })
}

/** Changes a note of a commit, as exactly one of the two asks. @throws DomainError `bad_request`, `forbidden` */
export async function changeNote(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  note: NoteRow,
  { body, resolved }: { body?: string | undefined; resolved?: boolean | undefined },
): Promise<NoteRow> {
  if (body !== undefined && resolved !== undefined) {
    throw invalidParameter('body, resolved are mutually exclusive')
  }
  if (resolved !== undefined) throw noteRefused('Note is not resolvable')
  if (body === undefined) {
    throw invalidParameter('body, resolved are missing, exactly one parameter must be provided')
  }
  requireText(body)
  return rewriteNote(app, caller, subject, note, body)
}
