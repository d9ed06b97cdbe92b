import { decideOnMergeRequest, forbidden, isResolvable, noteRefused, notFound } from '@stithy/core'
import {
  type DiscussionRows,
  findDiscussion,
  hasOpenThreads,
  holdItem,
  type NoteRow,
  reopenNotes,
  resolveNotes,
} from '@stithy/store'
import type { App } from '../app.ts'
import { enforce } from '../http/authorize.ts'
import type { Caller } from '../http/call.ts'
import { type Item, type MergeRequestItem, noteableOf } from '../items/item.ts'
import { mergeRequestFacts } from '../merge-requests/merge-request-found.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { remark } from '../system-notes/system-note.service.ts'

/**
 * Resolves a discussion of a merge request, or opens it again, and answers it as it is then (catalogue:
 * merge_requests, 6). @throws DomainError `forbidden`, also where there is nothing to resolve; `not_found`
 */
export async function resolveDiscussion(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  discussion: DiscussionRows,
  resolved: boolean,
): Promise<DiscussionRows> {
  if (!discussion.notes.some(canBeResolved)) throw forbidden()
  enforce(mayResolve(caller, item), caller)
  return setResolved(app, caller, item, { discussionId: discussion.id }, resolved)
}

/**
 * `resolveDiscussion` for one note, which its author may do as well.
 * @throws DomainError `bad_request` for a note that cannot be resolved, `forbidden`, `not_found`
 */
export async function resolveNote(
  app: App,
  caller: Caller,
  item: Item,
  note: NoteRow,
  resolved: boolean,
): Promise<NoteRow> {
  if (item.type !== 'merge_request' || !canBeResolved(note)) {
    throw noteRefused('Note is not resolvable')
  }
  if (note.authorId !== caller.facts.userId) enforce(mayResolve(caller, item), caller)
  const which = { discussionId: note.discussionId, noteId: note.id }
  const { notes } = await setResolved(app, caller, item, which, resolved)
  const changed = notes.find(({ id }) => id === note.id)
  if (changed === undefined) throw notFound('Note')
  return changed
}

function canBeResolved(note: NoteRow): boolean {
  return isResolvable({ ...note, system: note.system === 1 })
}

function mayResolve(caller: Caller, { project, row, assigneeIds }: MergeRequestItem) {
  const facts = mergeRequestFacts(row, assigneeIds, caller.facts.userId)
  return decideOnMergeRequest('resolve_discussions', caller.facts, project.facts, facts)
}

/** The request is held, so that of two who resolve the last two threads at once one remarks it. */
async function setResolved(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  which: { discussionId: string; noteId?: number },
  resolved: boolean,
): Promise<DiscussionRows> {
  const userId = requireCaller(caller).id
  const now = app.now()
  return app.db.transaction(async (tx) => {
    const held = await holdItem(tx, { type: 'merge_request', id: item.row.id })
    if (!held) throw notFound('Merge Request')
    if (resolved) {
      const changed = await resolveNotes(tx, { ...which, userId, now })
      const last = changed > 0 && !(await hasOpenThreads(tx, { mergeRequestId: item.row.id }))
      const said = { authorId: userId, body: 'resolved all threads', at: now }
      if (last) await remark(tx, item, said)
    } else {
      await reopenNotes(tx, which)
    }
    const discussion = await findDiscussion(tx, noteableOf(item), which.discussionId)
    if (discussion === undefined) throw notFound('Discussion')
    return discussion
  })
}
