import { acceptsReplies, noteRefused, type RequestedPosition } from '@stithy/core'
import { type DiscussionRows, findDiscussion, type NoteRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { DecidedCaller } from '../../platform/http/subjects.ts'
import { type Item, noteableOf } from '../items/item.ts'
import { discussionIdPattern } from '../notes/discussion-id.ts'
import { writeNote } from '../notes/note.service.ts'
import { noteDate } from '../notes/note-date.ts'
import { hiddenSystemNotes } from '../notes/note-lookup.service.ts'
import { resolvePosition } from '../notes/note-position.service.ts'
import { requireNoteText } from '../notes/note-text.ts'

/** Finds a discussion; undefined if it is unknown, or a system note hidden from the caller. */
export async function findVisibleDiscussion(
  app: App,
  caller: DecidedCaller,
  item: Item,
  discussionId: string,
): Promise<DiscussionRows | undefined> {
  if (!discussionIdPattern.test(discussionId)) return undefined
  const discussion = await findDiscussion(app.db, noteableOf(item), discussionId)
  if (!discussion?.notes.some(({ system }) => system === 1)) return discussion
  const hidden = await hiddenSystemNotes(app, caller, item)
  return discussion.notes.some(({ id }) => hidden.includes(id)) ? undefined : discussion
}

/** The body of a call that starts a discussion or replies in one. */
export interface NoteRequest {
  body: string
  /** Milliseconds. */
  created_at?: number | undefined
  position?: RequestedPosition | undefined
}

/** Starts a discussion and returns its first note. @throws DomainError `bad_request` */
export async function startDiscussion(
  app: App,
  caller: Caller,
  item: Item,
  request: NoteRequest,
  signal: AbortSignal,
): Promise<NoteRow> {
  requireNoteText(request.body)
  const { body, position } = request
  const isPositioned =
    position !== undefined && (item.type === 'commit' || item.type === 'merge_request')
  const stored = isPositioned ? await resolvePosition(app, item, position, signal) : undefined
  return writeNote(app, caller, item, {
    type: stored === undefined ? 'discussion_note' : 'diff_note',
    body,
    createdAt: noteDate(caller, item, request),
    position: stored,
  })
}

/**
 * Replies in a discussion and returns the note. A reply to a diff note has the position of the
 * first note; a reply to a single comment turns it into a thread.
 * @throws DomainError `bad_request`
 */
export async function reply(
  app: App,
  caller: Caller,
  item: Item,
  { id, notes }: DiscussionRows,
  request: NoteRequest,
): Promise<NoteRow> {
  requireNoteText(request.body)
  // A system note says that a thread is outdated; the comments before it may be deleted.
  const first = notes.find(({ system }) => system === 0) ?? notes[0]
  if (first === undefined || !acceptsReplies({ ...first, system: first.system === 1 })) {
    throw noteRefused('Discussion can not be replied to.')
  }
  return writeNote(app, caller, item, {
    discussionId: id,
    type: first.type ?? 'discussion_note',
    body: request.body,
    createdAt: noteDate(caller, item, request),
  })
}
