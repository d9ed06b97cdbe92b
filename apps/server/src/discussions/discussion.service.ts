import { type AskedPosition, noteRefused, notFound, takesReplies } from '@stithy/core'
import { type DiscussionRows, findDiscussion, type NoteRow } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { type Item, noteableOf } from '../items/item.ts'
import { discussionIdPattern } from '../notes/discussion-id.ts'
import { writeNote } from '../notes/note.service.ts'
import { dateOf } from '../notes/note-date.ts'
import { hiddenRemarks } from '../notes/note-found.service.ts'
import { placeOf } from '../notes/note-place.ts'
import { findPlace } from '../notes/note-position.service.ts'
import { requireNoteText } from '../notes/note-text.ts'

/** @throws DomainError `not_found`, also for a remark that the caller may not see. */
export async function requireDiscussion(
  app: App,
  caller: Caller,
  item: Item,
  discussionId: string,
): Promise<DiscussionRows> {
  if (!discussionIdPattern.test(discussionId)) throw notFound('Discussion')
  const discussion = await findDiscussion(app.db, noteableOf(item), discussionId)
  if (discussion === undefined) throw notFound('Discussion')
  if (discussion.notes.some(({ system }) => system === 1)) {
    const hidden = await hiddenRemarks(app, caller, item)
    if (discussion.notes.some(({ id }) => hidden.includes(id))) throw notFound('Discussion')
  }
  return discussion
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
  item: Item,
  request: NoteRequest,
  signal: AbortSignal,
): Promise<NoteRow> {
  requireNoteText(request.body)
  const { body, position } = request
  const placed = position !== undefined && (item.type === 'commit' || item.type === 'merge_request')
  const place = placed ? await findPlace(app, item, position, signal) : undefined
  return writeNote(app, caller, item, {
    type: place === undefined ? 'discussion_note' : 'diff_note',
    body,
    createdAt: dateOf(caller, item, request),
    place,
  })
}

/**
 * Replies in a discussion and answers the note. A reply at a line of a diff stands where the first note
 * does; a single comment becomes a thread. @throws DomainError `bad_request`
 */
export async function reply(
  app: App,
  caller: Caller,
  item: Item,
  { id, notes }: DiscussionRows,
  request: NoteRequest,
): Promise<NoteRow> {
  requireNoteText(request.body)
  const [first] = notes
  if (first === undefined || !takesReplies({ ...first, system: first.system === 1 })) {
    throw noteRefused('Discussion can not be replied to.')
  }
  return writeNote(app, caller, item, {
    discussionId: id,
    type: first.type ?? 'discussion_note',
    body: request.body,
    createdAt: dateOf(caller, item, request),
    place: placeOf(first),
  })
}
