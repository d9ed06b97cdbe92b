import {
  type BodiesQuery,
  type commitDiscussionsContract,
  type Discussion,
  type epicDiscussionsContract,
  type issueDiscussionsContract,
  type mergeRequestDiscussionsContract,
  type Note,
  notFound,
  type snippetDiscussionsContract,
} from '@stithy/core'
import {
  countDiscussionsBefore,
  findNoteOn,
  inBackground,
  listDiscussions,
  listNotesOfDiscussion,
  type Page,
  type PageRequest,
  type Queries,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { decideOn, enforce } from '../../platform/http/authorize.ts'
import type { CallOn, Handlers } from '../../platform/http/call.ts'
import { type Item, noteableOf } from '../items/item.ts'
import { removeNote, rewriteNote } from '../notes/note.service.ts'
import { hiddenSystemNotes } from '../notes/note-lookup.service.ts'
import type { NoteSubject } from '../notes/note-subject.ts'
import { viewNote, viewNotes } from '../notes/note-view.service.ts'
import { pathHash } from '../notes/stored-position.ts'
import { type NoteRequest, reply, startDiscussion } from './discussion.service.ts'
import type { DiscussionSubject } from './discussion-subject.ts'
import { viewDiscussion, viewDiscussions } from './discussion-view.service.ts'
import { resolveDiscussion, resolveNote } from './resolving.service.ts'

interface NoteChange {
  body: { body?: string | undefined; resolved?: boolean | undefined }
}

const threadHandlers = {
  async list(
    call: CallOn<Item, 'page'> & { query: BodiesQuery & { note_id?: number | undefined } },
  ): Promise<Page<Discussion>> {
    const { app, caller, subject, query } = call
    const hidden = await hiddenSystemNotes(app, caller, subject)
    const page = await pageOfNote(call, query.note_id, hidden)
    const found = await listDiscussions(placeOf(app, subject), noteableOf(subject), page, {
      hidden,
    })
    const items = await viewDiscussions(app, subject, found.items, query.max_body_length)
    return { ...found, items }
  },

  async show({ app, subject: { item, rows } }: CallOn<DiscussionSubject>): Promise<Discussion> {
    return viewDiscussion(app, item, rows)
  },

  async create(call: CallOn<Item, 'signal'> & { body: NoteRequest }): Promise<Discussion> {
    const { app, caller, subject, body, signal } = call
    const note = await startDiscussion(app, caller, subject, body, signal())
    return viewDiscussion(app, subject, { id: note.discussionId, notes: [note] })
  },
}

/** The page with the discussion of a note; two queries. Without a note, the page that was asked for. */
async function pageOfNote(
  { app, subject, page }: CallOn<Item, 'page'>,
  noteId: number | undefined,
  hidden: readonly number[],
): Promise<PageRequest> {
  if (noteId === undefined) return page
  const noteable = noteableOf(subject)
  const note = hidden.includes(noteId) ? undefined : await findNoteOn(app.db, noteable, noteId)
  if (note === undefined) throw notFound('Note')
  const before = await countDiscussionsBefore(
    placeOf(app, subject),
    noteable,
    note.discussionId,
    hidden,
  )
  return { ...page, page: Math.floor(before / page.perPage) + 1 }
}

/** Comments whose discussions take milliseconds to find: 20 for 10,000. */
const manyComments = 1000

/** Where the discussions of an item are found without holding others up. */
function placeOf({ db }: App, item: Item): Queries {
  if (item.type === 'commit' || item.type === 'snippet') return db
  return item.row.userNotesCount > manyComments ? inBackground(db) : db
}

const threadNoteHandlers = {
  async listNotes({
    app,
    subject,
    query,
    page,
  }: CallOn<DiscussionSubject, 'page'> & { query: BodiesQuery }): Promise<Page<Note>> {
    const { item, rows } = subject
    const found = await listNotesOfDiscussion(app.db, noteableOf(item), rows.id, page)
    return { ...found, items: await viewNotes(app, item, found.items, query.max_body_length) }
  },

  async showNote({
    app,
    subject: { item, row },
    query,
  }: CallOn<NoteSubject> & { query: BodiesQuery }): Promise<Note> {
    return viewNote(app, item, row, query.max_body_length)
  },

  async addNote(call: CallOn<DiscussionSubject> & { body: NoteRequest }): Promise<Note> {
    const { app, caller, subject, body } = call
    const { item, rows } = subject
    return viewNote(app, item, await reply(app, caller, item, rows, body))
  },

  async updateNote(call: CallOn<NoteSubject> & NoteChange): Promise<Note> {
    const { app, caller, subject } = call
    const { item, row } = subject
    const { body = '', resolved } = call.body
    if (resolved !== undefined) {
      return viewNote(app, item, await resolveNote(app, caller, subject, resolved))
    }
    enforce(decideOn(app, 'note', 'update_note', subject, caller), caller)
    return viewNote(app, item, await rewriteNote(app, caller, item, row, body))
  },

  async removeNote({ app, subject, headers }: CallOn<NoteSubject, 'headers'>): Promise<undefined> {
    return removeNote(app, subject.row, headers)
  },
}

/** The handlers of discussions, shared by all types of items. */
const discussionHandlers = { ...threadHandlers, ...threadNoteHandlers }

export const commitDiscussionHandlers: Handlers<typeof commitDiscussionsContract> =
  discussionHandlers
export const issueDiscussionHandlers: Handlers<typeof issueDiscussionsContract> = discussionHandlers
export const snippetDiscussionHandlers: Handlers<typeof snippetDiscussionsContract> =
  discussionHandlers
export const epicDiscussionHandlers: Handlers<typeof epicDiscussionsContract> = discussionHandlers

export const mergeRequestDiscussionHandlers: Handlers<typeof mergeRequestDiscussionsContract> = {
  ...discussionHandlers,

  async list(call) {
    const { app, subject, query, page } = call
    if (query.paths === undefined) return discussionHandlers.list(call)
    const files = query.paths.map(pathHash)
    const found = await listDiscussions(placeOf(app, subject), noteableOf(subject), page, { files })
    const items = await viewDiscussions(app, subject, found.items, query.max_body_length)
    return { ...found, items }
  },

  async resolve({ app, caller, subject: { item, rows }, body }) {
    const changed = await resolveDiscussion(app, caller, item, rows, body.resolved)
    return viewDiscussion(app, item, changed)
  },
}
