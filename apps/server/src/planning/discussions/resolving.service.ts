import { forbidden, isResolvable, noteRefused, notFound } from '@stithy/core'
import {
  type DiscussionRows,
  findDiscussion,
  hasOpenThreads,
  type ListedNoteRow,
  lockItemRow,
  reopenNotes,
  resolveNotes,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { decideOn, enforce } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { type Item, type MergeRequestItem, noteableOf } from '../items/item.ts'
import type { NoteSubject } from '../notes/note-subject.ts'

/**
 * Resolves or reopens a discussion that the caller may resolve, and returns it as stored
 * afterwards.
 * @throws DomainError `forbidden` if nothing in it can be resolved, `not_found`
 */
export async function resolveDiscussion(
  app: App,
  caller: Caller,
  item: Item,
  discussion: DiscussionRows,
  resolved: boolean,
): Promise<DiscussionRows> {
  if (item.type !== 'merge_request' || !discussion.notes.some(canBeResolved)) throw forbidden()
  return setResolved(app, caller, item, { discussionId: discussion.id }, resolved)
}

/**
 * `resolveDiscussion` for one note, which its author may also do.
 * @throws DomainError `bad_request` for a note that cannot be resolved, `forbidden`, `not_found`
 */
export async function resolveNote(
  app: App,
  caller: Caller,
  subject: NoteSubject,
  resolved: boolean,
): Promise<ListedNoteRow> {
  const { item, row: note } = subject
  if (item.type !== 'merge_request' || !canBeResolved(note)) {
    throw noteRefused('Note is not resolvable')
  }
  enforce(decideOn(app, 'note', 'resolve_note', subject, caller), caller)
  const target = { discussionId: note.discussionId, noteId: note.id }
  const { notes } = await setResolved(app, caller, item, target, resolved)
  const changed = notes.find(({ id }) => id === note.id)
  if (changed === undefined) throw notFound('Note')
  return changed
}

function canBeResolved(note: ListedNoteRow): boolean {
  return isResolvable({ ...note, system: note.system === 1 })
}

/**
 * Locks the merge request, so that of two calls that resolve the last two threads concurrently one
 * writes the system note.
 */
async function setResolved(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  target: { discussionId: string; noteId?: number },
  resolved: boolean,
): Promise<DiscussionRows> {
  const userId = requireCaller(caller).id
  const now = app.now()
  return app.db.transaction(async (tx) => {
    const exists = await lockItemRow(tx, { type: 'merge_request', id: item.row.id })
    if (!exists) throw notFound('Merge Request')
    if (resolved) await resolveInLocked(tx, item, target, { userId, now })
    else await reopenNotes(tx, target)
    const discussion = await findDiscussion(tx, noteableOf(item), target.discussionId)
    if (discussion === undefined) throw notFound('Discussion')
    return discussion
  })
}

/**
 * Resolves a discussion, or one of its notes, of a merge request that the transaction has locked. A
 * system note says when no open thread is left.
 */
export async function resolveInLocked(
  tx: Transaction,
  item: MergeRequestItem,
  target: { discussionId: string; noteId?: number },
  { userId, now }: { userId: number; now: number },
): Promise<void> {
  const changed = await resolveNotes(tx, { ...target, userId, now })
  if (changed === 0 || (await hasOpenThreads(tx, { mergeRequestId: item.row.id }))) return
  const notes = [{ action: 'threads_resolved' }] as const
  await recordChange(tx, { kind: 'item.noted', userId, at: now, now, item, notes })
}
