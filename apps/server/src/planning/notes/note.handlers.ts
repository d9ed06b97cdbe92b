import type {
  BodiesQuery,
  epicNotesContract,
  issueNotesContract,
  mergeRequestNotesContract,
  Note,
  snippetNotesContract,
} from '@stithy/core'
import { listNotesOn, type Page } from '@stithy/store'
import type { CallOn, Handlers } from '../../platform/http/call.ts'
import { type Item, noteableOf } from '../items/item.ts'
import { removeNote, rewriteNote, writeNote } from './note.service.ts'
import { noteDate } from './note-date.ts'
import { hiddenSystemNotes } from './note-lookup.service.ts'
import type { NoteSubject } from './note-subject.ts'
import { viewNote, viewNotes } from './note-view.service.ts'

interface Listing {
  query: BodiesQuery & {
    order_by: 'created_at' | 'updated_at'
    sort: 'asc' | 'desc'
    activity_filter: 'all_notes' | 'only_comments' | 'only_activity'
  }
}

const kinds = {
  all_notes: undefined,
  only_comments: 'comments',
  only_activity: 'system-notes',
} as const

/** The handlers of notes, shared by all types of items. */
const noteHandlers = {
  async list({
    app,
    caller,
    subject,
    query,
    page,
  }: CallOn<Item, 'page'> & Listing): Promise<Page<Note>> {
    const by = query.order_by === 'created_at' ? 'createdAt' : 'updatedAt'
    const only = kinds[query.activity_filter]
    const hidden = only === 'comments' ? [] : await hiddenSystemNotes(app, caller, subject)
    const order = { by, sort: query.sort } as const
    const found = await listNotesOn(app.db, noteableOf(subject), { ...order, hidden, only }, page)
    return { ...found, items: await viewNotes(app, subject, found.items, query.max_body_length) }
  },

  async show({ app, subject: { item, row } }: CallOn<NoteSubject>): Promise<Note> {
    return viewNote(app, item, row)
  },

  async create({
    app,
    caller,
    subject,
    body,
  }: CallOn<Item> & { body: { body: string; created_at?: number | undefined } }): Promise<Note> {
    const draft = { body: body.body, type: null, createdAt: noteDate(caller, subject, body) }
    return viewNote(app, subject, await writeNote(app, caller, subject, draft))
  },

  async update({
    app,
    caller,
    subject: { item, row },
    body,
  }: CallOn<NoteSubject> & { body: { body: string } }): Promise<Note> {
    return viewNote(app, item, await rewriteNote(app, caller, item, row, body.body))
  },

  async remove({ app, subject, headers }: CallOn<NoteSubject, 'headers'>): Promise<undefined> {
    return removeNote(app, subject.row, headers)
  },
}

export const issueNoteHandlers: Handlers<typeof issueNotesContract> = noteHandlers
export const mergeRequestNoteHandlers: Handlers<typeof mergeRequestNotesContract> = noteHandlers
export const snippetNoteHandlers: Handlers<typeof snippetNotesContract> = noteHandlers
export const epicNoteHandlers: Handlers<typeof epicNotesContract> = noteHandlers
