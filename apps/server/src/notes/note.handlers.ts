import type {
  epicNotesContract,
  issueNotesContract,
  mergeRequestNotesContract,
  Note,
  snippetNotesContract,
} from '@stithy/core'
import { listNotesOn, type Page, type PageRequest } from '@stithy/store'
import type { Call, Handlers } from '../http/call.ts'
import { type Item, noteableOf } from '../items/item.ts'
import { removeNote, rewriteNote, writeNote } from './note.service.ts'
import { dateOf } from './note-date.ts'
import { hiddenRemarks, requireNote } from './note-found.service.ts'
import { showNote, showNotes } from './note-view.service.ts'
import {
  epicOf,
  type FindItem,
  type ItemCall,
  issueOf,
  mergeRequestOf,
  snippetOf,
} from './noteables.ts'

interface Listing {
  query: { order_by: 'created_at' | 'updated_at'; sort: 'asc' | 'desc' }
  page: PageRequest
}

interface OneNote {
  params: { note_id: number }
}

/** The handlers of the notes of one kind of thing (catalogue: merge_requests, 7). */
function noteHandlers<C extends ItemCall<unknown, object>>(find: FindItem<C, Item>) {
  return {
    async list(call: C & Listing): Promise<Page<Note>> {
      const { app, caller, query, page } = call
      const item = await find(call, 'read')
      const by = query.order_by === 'created_at' ? 'createdAt' : 'updatedAt'
      const hidden = await hiddenRemarks(app, caller, item)
      const order = { by, sort: query.sort, hidden } as const
      const found = await listNotesOn(app.db, noteableOf(item), order, page)
      return { ...found, items: await showNotes(app, item, found.items) }
    },

    async show(call: C & OneNote): Promise<Note> {
      const { app, caller, params } = call
      const item = await find(call, 'read')
      return showNote(app, item, await requireNote(app, caller, item, params))
    },

    async create(call: C & { body: { body: string; created_at?: number | undefined } }) {
      const { app, caller, body } = call
      const item = await find(call, 'comment')
      const createdAt = dateOf(caller, item, body)
      const draft = { body: body.body, type: null, createdAt }
      return showNote(app, item, await writeNote(app, caller, item, draft))
    },

    async update(call: C & OneNote & { body: { body: string } }): Promise<Note> {
      const { app, caller, params, body } = call
      const item = await find(call, 'comment')
      const note = await requireNote(app, caller, item, params)
      return showNote(app, item, await rewriteNote(app, caller, item, note, body.body))
    },

    async remove(call: C & OneNote & Pick<Call, 'headers'>): Promise<undefined> {
      const { app, caller, params, headers } = call
      const item = await find(call, 'comment')
      const note = await requireNote(app, caller, item, params)
      return removeNote(app, caller, item, note, headers)
    },
  }
}

export const issueNoteHandlers: Handlers<typeof issueNotesContract> = noteHandlers(issueOf)
export const mergeRequestNoteHandlers: Handlers<typeof mergeRequestNotesContract> =
  noteHandlers(mergeRequestOf)
export const snippetNoteHandlers: Handlers<typeof snippetNotesContract> = noteHandlers(snippetOf)
export const epicNoteHandlers: Handlers<typeof epicNotesContract> = noteHandlers(epicOf)
