import type { commitDiscussionsContract } from '@stithy/core'
import { listDiscussions, listNotesOfDiscussion } from '@stithy/store'
import type { Handlers } from '../http/call.ts'
import { removeNote } from '../notes/note.service.ts'
import {
  changeNote,
  reply,
  requireDiscussed,
  requireDiscussion,
  requireNote,
  startDiscussion,
} from './commit-discussion.service.ts'
import { showDiscussion, showDiscussions, showNote, showNotes } from './discussion-view.service.ts'

export const commitDiscussionHandlers: Handlers<typeof commitDiscussionsContract> = {
  async list({ app, subject, params, page }) {
    const { noteable } = await requireDiscussed(app, subject, params.commit_id)
    const found = await listDiscussions(app.db, noteable, page)
    return { ...found, items: await showDiscussions(app, found.items) }
  },

  async show({ app, subject, params }) {
    const { noteable } = await requireDiscussed(app, subject, params.commit_id)
    const discussion = await requireDiscussion(app, noteable, params.discussion_id)
    return showDiscussion(app, discussion)
  },

  async create({ app, caller, subject, params, body, signal }) {
    const discussed = await requireDiscussed(app, subject, params.commit_id)
    const note = await startDiscussion(app, caller, subject, discussed, body, signal)
    return showDiscussion(app, { id: note.discussionId, notes: [note] })
  },

  async listNotes({ app, subject, params, page }) {
    const { noteable } = await requireDiscussed(app, subject, params.commit_id)
    const { id } = await requireDiscussion(app, noteable, params.discussion_id)
    const found = await listNotesOfDiscussion(app.db, noteable, id, page)
    return { ...found, items: await showNotes(app, found.items) }
  },

  async showNote({ app, subject, params }) {
    const { noteable } = await requireDiscussed(app, subject, params.commit_id)
    return showNote(app, await requireNote(app, noteable, params))
  },

  async addNote({ app, caller, subject, params, body }) {
    const { noteable } = await requireDiscussed(app, subject, params.commit_id)
    const discussion = await requireDiscussion(app, noteable, params.discussion_id)
    return showNote(app, await reply(app, caller, subject, noteable, discussion, body))
  },

  async updateNote({ app, caller, subject, params, body }) {
    const { noteable } = await requireDiscussed(app, subject, params.commit_id)
    const note = await requireNote(app, noteable, params)
    return showNote(app, await changeNote(app, caller, subject, note, body))
  },

  async removeNote({ app, caller, subject, params, headers }) {
    const { noteable } = await requireDiscussed(app, subject, params.commit_id)
    const note = await requireNote(app, noteable, params)
    return removeNote(app, caller, subject, note, headers)
  },
}
