import { submit } from '../../platform/forms/submit.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { noteAddress } from '../../platform/text/addresses.ts'
import type { FailedForm } from './discussion-view.ts'
import type { Noteable } from './noteable.ts'

/** How the actions of discussions find their thing, and show its page again. */
export interface DiscussionActions {
  noteable: (call: PageCall) => Noteable | Promise<Noteable>
  /** The page again, with a form that was refused. */
  show: (call: PageCall, failed: FailedForm) => Promise<Reply>
  /** Closes or reopens the thing. */
  changeState?: (call: PageCall, event: 'close' | 'reopen') => Promise<unknown>
}

/** `POST …/notes`: a comment, a thread or a reply, and with it closing or reopening. */
export function createNote({ noteable, show, changeState }: DiscussionActions) {
  return async (call: PageCall): Promise<Reply> => {
    const { form } = call
    const thing = await noteable(call)
    const body = form.text('body')
    const thread = form.optionalText('discussion')
    const event = eventOf(form.text('do'))
    if (event !== undefined && changeState !== undefined && body.trim() === '') {
      await changeState(call, event)
      return redirect(thing.address)
    }
    const at = thread ?? 'comment'
    const field = thread === undefined ? 'body' : `reply_${thread.slice(0, 12)}`
    const written = await submit(write(thing, { body, thread, kind: form.text('do') }), {
      body: field,
      note: field,
    })
    if (!written.ok) return show(pageOf(call, thing), { at, form, formErrors: written.formErrors })
    if (event !== undefined) await changeState?.(call, event)
    return redirect(addressAfter(thing, written.value))
  }
}

function eventOf(value: string): 'close' | 'reopen' | undefined {
  return value === 'close' || value === 'reopen' ? value : undefined
}

interface Written {
  body: string
  thread: string | undefined
  kind: string
}

async function write({ discussions }: Noteable, { body, thread, kind }: Written): Promise<unknown> {
  if (thread !== undefined) return discussions.reply(thread, body)
  return kind === 'thread' ? discussions.start(body) : discussions.comment(body)
}

/** The page with what was written; comments of quick actions alone leave no note. */
function addressAfter({ address }: Noteable, written: unknown): string {
  const id = noteIdOf(written)
  return id === undefined ? address : noteAddress(address, id)
}

function noteIdOf(written: unknown): number | undefined {
  if (typeof written !== 'object' || written === null) return undefined
  if ('notes' in written && Array.isArray(written.notes)) return noteIdOf(written.notes[0])
  return 'noteable_type' in written && 'id' in written && typeof written.id === 'number'
    ? written.id
    : undefined
}

/** Finds the text of a note: `GET …/notes/:note_id/text`. @throws StithyError 404 */
export function noteText({ noteable }: DiscussionActions) {
  return async (call: PageCall): Promise<string> => {
    const { discussions } = await noteable(call)
    const id = rowId(call, 'note_id')
    const { items } = await discussions.list({ note_id: id, per_page: 1, max_body_length: 0 })
    const thread = items.find(({ notes }) => notes.some((note) => note.id === id))
    if (thread === undefined) throw missing()
    return (await discussions.show(thread.id, id)).body
  }
}

/** `POST …/notes/:note_id`: other words. */
export function updateNote({ noteable, show }: DiscussionActions) {
  return async (call: PageCall): Promise<Reply> => {
    const { form } = call
    const thing = await noteable(call)
    const id = rowId(call, 'note_id')
    const changed = await submit(
      thing.discussions.update(form.text('discussion'), id, form.text('body')),
      { body: `note_${id}_body` },
    )
    if (changed.ok) return redirect(`${backTo(call, thing)}#note_${id}`)
    return show(pageOf(call, thing), { at: `note_${id}`, form, formErrors: changed.formErrors })
  }
}

/** `POST …/notes/:note_id/delete`. */
export function deleteNote({ noteable }: DiscussionActions) {
  return async (call: PageCall): Promise<Reply> => {
    const thing = await noteable(call)
    await thing.discussions.remove(call.form.text('discussion'), rowId(call, 'note_id'))
    return redirect(backTo(call, thing))
  }
}

/** The page of the discussion that a form was on; only addresses of the thing itself. */
function backTo({ form }: PageCall, { address }: Noteable): string {
  const back = form.text('back')
  return back.startsWith(`${address}?`) ? back : address
}

/** The call of that page, to show it again. */
function pageOf(call: PageCall, thing: Noteable): PageCall {
  const query = new URLSearchParams(backTo(call, thing).slice(thing.address.length))
  return { ...call, query }
}

/** `POST …/discussions/:discussion_id/resolve`. */
export function resolveDiscussion({ noteable }: DiscussionActions) {
  return async (call: PageCall): Promise<Reply> => {
    const thing = await noteable(call)
    const { discussion_id: id = '' } = call.params
    await thing.resolve?.(id, call.form.text('resolved') === '1')
    return redirect(`${backTo(call, thing)}#discussion_${id}`)
  }
}

/** `POST …/award_emoji`: gives an emoji, or takes it back. */
export function changeAward({ noteable }: DiscussionActions) {
  return async (call: PageCall): Promise<Reply> => {
    const { form } = call
    const { awards, address } = await noteable(call)
    const noteId = form.number('note_id')
    const awardId = form.number('award_id')
    if (awardId !== undefined) await awards?.take(noteId, awardId)
    else await awards?.give(noteId, form.text('name'))
    return redirect(noteId === undefined ? address : noteAddress(address, noteId))
  }
}
