import type { Page } from '@stithy/client'
import type { AwardCount, Discussion, LabelEvent, Note } from '@stithy/core'
import { isMissing } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { LongText } from '../../platform/pages/long-texts.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { renderTexts } from '../../platform/pages/render-texts.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import type { Noteable, Period } from './noteable.ts'

/** Discussions on a page. */
const perPage = 30

/** Notes of one thread on a page. */
const threadPerPage = 50

/** Notes that a page renders; of more, long threads show their first and last ones. */
const maxNotes = 99

/** Characters of a comment that are read at once: more are where the page has room for them. */
export const cutBodies = { max_body_length: 16_384 } as const

/** Notes of a long thread: the first, and the last ones. */
const shownReplies = 2

/** A thread as a page shows it: long ones lack notes in their middle. */
export interface ShownDiscussion extends Omit<Discussion, 'notes'> {
  notes: readonly Note[]
  /** How many notes are left out behind the first one. */
  omitted: number
}

/** A page of discussions, or of the notes of one. */
export interface DiscussionPage {
  position: Pick<Page<Discussion>, 'page' | 'total' | 'totalPages' | 'nextPage' | 'prevPage'>
  discussions: readonly ShownDiscussion[]
  /** The thread that alone is shown. */
  thread: string | undefined
  /** The note that the address asks for, and its place in its thread, from 0. */
  target?: { noteId: number; thread: string; at: number } | undefined
  /** The id of the element of what the address asks for, if that is not there: it was deleted, or is hidden. */
  missing?: string
}

/**
 * The discussions that the address of a page asks for: `page` of all, `discussion` for one alone, and
 * `note_id` for those with a note. One call, and another one where these are not there.
 */
export async function listDiscussions(
  { query }: Pick<PageCall, 'query'>,
  { discussions }: Noteable,
): Promise<DiscussionPage> {
  const thread = query.get('discussion') ?? undefined
  const isThread = thread !== undefined && /^[0-9a-f]{40}$/.test(thread)
  const noteId = noteIdOf(query)
  const asked = isThread ? `discussion_${thread}` : `note_${noteId}`
  try {
    return await readPage(query, discussions, { thread: isThread ? thread : undefined, noteId })
  } catch (error) {
    if (!isMissing(error) || (!isThread && noteId === undefined)) throw error
    return { ...(await readPage(new URLSearchParams(), discussions, {})), missing: asked }
  }
}

/** @throws StithyError 404 if the note or the thread is not there */
async function readPage(
  query: URLSearchParams,
  discussions: Noteable['discussions'],
  { thread, noteId }: { thread?: string | undefined; noteId?: number | undefined },
): Promise<DiscussionPage> {
  if (thread !== undefined) {
    const notes = await discussions.notes(thread, {
      per_page: threadPerPage,
      ...cutBodies,
      ...pageNumber(query),
    })
    const shown = { id: thread, individual_note: false, notes: notes.items, omitted: 0 }
    return { position: notes, discussions: notes.items.length > 0 ? [shown] : [], thread }
  }
  const found = await discussions.list({
    per_page: perPage,
    ...cutBodies,
    ...pageNumber(query),
    ...(noteId === undefined ? {} : { note_id: noteId }),
  })
  return {
    position: found,
    discussions: shorten(found.items),
    thread: undefined,
    target: noteId === undefined ? undefined : targetOf(found.items, noteId),
  }
}

function targetOf(discussions: readonly Discussion[], noteId: number): DiscussionPage['target'] {
  for (const { id, notes } of discussions) {
    const at = notes.findIndex((note) => note.id === noteId)
    if (at >= 0) return { noteId, thread: id, at }
  }
  return undefined
}

function noteIdOf(query: URLSearchParams): number | undefined {
  const text = query.get('note_id') ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Leaves out the middle of long threads if a page has many notes. */
export function shorten(discussions: readonly Discussion[]): ShownDiscussion[] {
  const total = discussions.reduce((count, { notes }) => count + notes.length, 0)
  return discussions.map((discussion) => {
    const { notes } = discussion
    const omitted = notes.length - 1 - shownReplies
    if (total <= maxNotes || omitted <= 0) return { ...discussion, omitted: 0 }
    const [first, ...rest] = notes
    const shown = first === undefined ? [] : [first, ...rest.slice(-shownReplies)]
    return { ...discussion, notes: shown, omitted }
  })
}

/** Leads from the address of a note to the page that shows it; undefined for other addresses. */
export function redirectToNote(
  { address }: Noteable,
  { position, discussions, target }: DiscussionPage,
): Reply | undefined {
  if (target === undefined) return undefined
  const { noteId, thread, at } = target
  const isShown = discussions.some(({ notes }) => notes.some(({ id }) => id === noteId))
  const page = isShown ? (position.page ?? 1) : Math.floor(at / threadPerPage) + 1
  const query = {
    // One of those that a long thread leaves out: the thread has pages of its own.
    discussion: isShown ? undefined : thread,
    page: page === 1 ? undefined : page,
  }
  return redirect(`${withQuery(address, query)}#note_${noteId}`)
}

/** What a timeline shows of discussions. */
export interface TimelineTexts {
  /** HTML by the id of a note. */
  notes: ReadonlyMap<number, string>
  awards: readonly AwardCount[]
  labelEvents: readonly LabelEvent[]
  /** Label events that are too many for the page. */
  hiddenEvents: number
  /** The text of the comment that is edited, if it is long. */
  edited?: string | undefined
  /** The newest comment of all, if there are other pages that may have it. */
  newestComment?: Note | undefined
}

/**
 * What else a page of discussions needs, and other texts that are rendered with it, such as the
 * description. At most five calls at once, and one for each of a few long comments.
 */
export async function readTimeline(
  call: Pick<PageCall, 'client' | 'query'>,
  noteable: Noteable,
  page: DiscussionPage,
  texts: readonly (string | null | LongText)[] = [],
): Promise<TimelineTexts & { texts: string[] }> {
  const notes = page.discussions.flatMap((discussion) => discussion.notes)
  const bodies = page.discussions.flatMap((discussion) => bodiesOf(noteable, discussion))
  const userNotes = notes.filter(({ system }) => !system).map(({ id }) => id)
  const { nextPage, prevPage } = page.position
  const isWhole = page.thread === undefined && nextPage === null && prevPage === null
  const [rendered, awards, edited, newestComment, events] = await loadAll([
    renderTexts(call, [...texts, ...bodies], noteable.project),
    noteable.awards?.count(userNotes) ?? [],
    readEdited(call.query, noteable, page),
    isWhole ? undefined : noteable.newestComment?.(),
    readLabelEvents(noteable, page),
  ])
  const ofNotes = rendered.slice(texts.length)
  return {
    texts: rendered.slice(0, texts.length),
    notes: new Map(notes.map(({ id }, at) => [id, ofNotes[at] ?? ''])),
    awards,
    edited,
    newestComment,
    ...events,
  }
}

function bodiesOf({ address, discussions }: Noteable, { id, notes }: ShownDiscussion): LongText[] {
  return notes.map(({ id: noteId, body, body_size: bytes }) => {
    const whole = `${address}/notes/${noteId}/text`
    if (bytes === undefined || body.length < cutBodies.max_body_length - 1) {
      return { text: body, whole }
    }
    const read = async (length: number) =>
      (await discussions.show(id, noteId, { max_body_length: length })).body
    return { text: body, whole, rest: { bytes, read } }
  })
}

/** The whole text of the comment that the address asks to edit, if it is cut on the page. */
async function readEdited(
  query: URLSearchParams,
  { discussions }: Noteable,
  page: DiscussionPage,
): Promise<string | undefined> {
  const asked = query.get('edit_note')
  for (const { id, notes } of page.discussions) {
    const note = notes.find((each) => String(each.id) === asked)
    const { body = '', body_size: bytes = 0 } = note ?? {}
    if (note !== undefined && bytes > body.length) return (await discussions.show(id, note.id)).body
  }
  return undefined
}

interface ReadEvents {
  labelEvents: readonly LabelEvent[]
  hiddenEvents: number
}

/** Those between the first discussion of a page and the first of the next one. */
async function readLabelEvents(noteable: Noteable, page: DiscussionPage): Promise<ReadEvents> {
  const { position, thread, discussions } = page
  if (noteable.labelEvents === undefined || thread !== undefined) {
    return { labelEvents: [], hiddenEvents: 0 }
  }
  const first = discussions[0]?.notes[0]?.created_at
  const period: Period =
    (position.page ?? 1) > 1 && first !== undefined ? { created_after: first } : {}
  const [events, next] = await loadAll([
    noteable.labelEvents({ ...period, per_page: 100 }),
    position.nextPage === null
      ? undefined
      : noteable.discussions.list({
          per_page: 1,
          page: perPage * (position.page ?? 1) + 1,
          max_body_length: 0,
        }),
  ])
  const end = next?.items[0]?.notes[0]?.created_at
  const labelEvents = events.items.filter(({ created_at: at }) => end === undefined || at < end)
  const isCut = labelEvents.length === events.items.length && events.nextPage !== null
  const hiddenEvents = isCut ? (events.total ?? labelEvents.length) - labelEvents.length : 0
  return { labelEvents, hiddenEvents }
}
