import {
  type commitDiscussionsContract,
  type Discussion,
  type epicDiscussionsContract,
  invalidParameter,
  type issueDiscussionsContract,
  type mergeRequestDiscussionsContract,
  type Note,
  type snippetDiscussionsContract,
} from '@stithy/core'
import { listDiscussions, listNotesOfDiscussion, type Page, type PageRequest } from '@stithy/store'
import type { Call, Handlers } from '../http/call.ts'
import { type Item, noteableOf } from '../items/item.ts'
import { removeNote, rewriteNote } from '../notes/note.service.ts'
import { hiddenRemarks, requireNote } from '../notes/note-found.service.ts'
import { showNote, showNotes } from '../notes/note-view.service.ts'
import {
  commitOf,
  epicOf,
  type FindItem,
  type ItemCall,
  issueOf,
  mergeRequestOf,
  snippetOf,
} from '../notes/noteables.ts'
import {
  type NoteRequest,
  reply,
  requireDiscussion,
  startDiscussion,
} from './discussion.service.ts'
import { showDiscussion, showDiscussions } from './discussion-view.service.ts'
import { resolveDiscussion, resolveNote } from './resolving.service.ts'

type AnyCall = ItemCall<unknown, object>
interface Paged {
  page: PageRequest
}
interface OneDiscussion {
  params: { discussion_id: string }
}
interface OneNote {
  params: { discussion_id: string; note_id: number }
}
interface NoteChange {
  body: { body?: string | undefined; resolved?: boolean | undefined }
}

/** The handlers of the discussions of one kind of thing (catalogue: merge_requests, 6). */
function discussionHandlers<C extends AnyCall>(find: FindItem<C, Item>) {
  return { ...threadHandlers(find), ...noteReaders(find), ...noteWriters(find) }
}

function threadHandlers<C extends AnyCall>(find: FindItem<C, Item>) {
  return {
    async list(call: C & Paged): Promise<Page<Discussion>> {
      const { app, caller, page } = call
      const item = await find(call, 'read')
      const hidden = await hiddenRemarks(app, caller, item)
      const found = await listDiscussions(app.db, noteableOf(item), page, hidden)
      return { ...found, items: await showDiscussions(app, item, found.items) }
    },

    async show(call: C & OneDiscussion): Promise<Discussion> {
      const { app, caller, params } = call
      const item = await find(call, 'read')
      const discussion = await requireDiscussion(app, caller, item, params.discussion_id)
      return showDiscussion(app, item, discussion)
    },

    async create(call: C & { body: NoteRequest } & Pick<Call, 'signal'>): Promise<Discussion> {
      const { app, caller, body, signal } = call
      const item = await find(call, 'comment')
      const note = await startDiscussion(app, caller, item, body, signal)
      return showDiscussion(app, item, { id: note.discussionId, notes: [note] })
    },
  }
}

function noteReaders<C extends AnyCall>(find: FindItem<C, Item>) {
  return {
    async listNotes(call: C & OneDiscussion & Paged): Promise<Page<Note>> {
      const { app, caller, params, page } = call
      const item = await find(call, 'read')
      const { id } = await requireDiscussion(app, caller, item, params.discussion_id)
      const found = await listNotesOfDiscussion(app.db, noteableOf(item), id, page)
      return { ...found, items: await showNotes(app, item, found.items) }
    },

    async showNote(call: C & OneNote): Promise<Note> {
      const { app, caller, params } = call
      const item = await find(call, 'read')
      return showNote(app, item, await requireNote(app, caller, item, params))
    },
  }
}

function noteWriters<C extends AnyCall>(find: FindItem<C, Item>) {
  return {
    async addNote(call: C & OneDiscussion & { body: NoteRequest }): Promise<Note> {
      const { app, caller, params, body } = call
      const item = await find(call, 'comment')
      const discussion = await requireDiscussion(app, caller, item, params.discussion_id)
      return showNote(app, item, await reply(app, caller, item, discussion, body))
    },

    async updateNote(call: C & OneNote & NoteChange): Promise<Note> {
      const { app, caller, params } = call
      const { body, resolved } = requireOne(call.body)
      const item = await find(call, 'comment')
      const note = await requireNote(app, caller, item, params)
      const changed =
        resolved === undefined
          ? await rewriteNote(app, caller, item, note, body)
          : await resolveNote(app, caller, item, note, resolved)
      return showNote(app, item, changed)
    },

    async removeNote(call: C & OneNote & Pick<Call, 'headers'>): Promise<undefined> {
      const { app, caller, params, headers } = call
      const item = await find(call, 'comment')
      const note = await requireNote(app, caller, item, params)
      return removeNote(app, caller, item, note, headers)
    },
  }
}

/** @throws DomainError `invalid_parameter` */
function requireOne({
  body,
  resolved,
}: NoteChange['body']):
  | { body: string; resolved?: undefined }
  | { body?: undefined; resolved: boolean } {
  if (body !== undefined && resolved !== undefined) {
    throw invalidParameter('body, resolved are mutually exclusive')
  }
  if (resolved !== undefined) return { resolved }
  if (body !== undefined) return { body }
  throw invalidParameter('body, resolved are missing, exactly one parameter must be provided')
}

export const commitDiscussionHandlers: Handlers<typeof commitDiscussionsContract> =
  discussionHandlers(commitOf)
export const issueDiscussionHandlers: Handlers<typeof issueDiscussionsContract> =
  discussionHandlers(issueOf)
export const snippetDiscussionHandlers: Handlers<typeof snippetDiscussionsContract> =
  discussionHandlers(snippetOf)
export const epicDiscussionHandlers: Handlers<typeof epicDiscussionsContract> =
  discussionHandlers(epicOf)

export const mergeRequestDiscussionHandlers: Handlers<typeof mergeRequestDiscussionsContract> = {
  ...discussionHandlers(mergeRequestOf),

  async resolve(call) {
    const { app, caller, params, body } = call
    const item = await mergeRequestOf(call, 'comment')
    const discussion = await requireDiscussion(app, caller, item, params.discussion_id)
    const changed = await resolveDiscussion(app, caller, item, discussion, body.resolved)
    return showDiscussion(app, item, changed)
  },
}
