import type { LabelEvent, Note } from '@stithy/core'
import { label } from '../../platform/design/badge.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { notice } from '../../platform/design/card.ts'
import { csrfField } from '../../platform/design/form-fields.ts'
import { icon } from '../../platform/design/icon.ts'
import { livePart } from '../../platform/design/live-part.ts'
import { prose } from '../../platform/design/prose.ts'
import { timeline, timelineEntry } from '../../platform/design/timeline.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { address, noteAddress, withQuery } from '../../platform/text/addresses.ts'
import { plural } from '../../platform/text/numbers.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { replyForm } from './comment-form.ts'
import { backField, type DiscussionView } from './discussion-view.ts'
import { noteView } from './note.ts'
import type { Noteable } from './noteable.ts'
import type { ShownDiscussion } from './read-discussions.ts'
import { systemNoteIcon } from './system-note-icon.ts'

interface Entry {
  at: string
  body: Html
}

/** All that was said and changed, oldest first: one page of it, with links to the others. */
export function discussionTimeline(view: DiscussionView): Html {
  const { page, texts } = view
  const entries: Entry[] = page.discussions.map((discussion) => ({
    at: discussion.notes[0]?.created_at ?? '',
    body: discussionEntry(view, discussion),
  }))
  entries.push(...labelEntries(view))
  const inOrder = entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  const hidden =
    texts.hiddenEvents > 0 &&
    html`<p class="muted small">${plural(texts.hiddenEvents, 'more change')} of labels.</p>`
  const body = html`${page.missing !== undefined && missingNotice(page.missing)}${page.thread !== undefined && html`<p><a href="${view.noteable.address}">Show all discussions</a></p>`}${pageLinks(view, 'above')}${
    inOrder.length > 0 &&
    timeline(
      'Discussion',
      inOrder.map(({ body }) => body),
    )
  }${hidden}${pageLinks(view, 'below')}`
  return livePart('discussion', body)
}

/** Stands where what the address leads to would: browsers scroll to it. */
function missingNotice(id: string): Html {
  const text =
    'The comment that this address leads to was deleted, or you have no access to it. This is the discussion without it.'
  return html`<div id="${id}">${notice(text, 'warning')}</div>`
}

/** One thread, comment or change, as an entry of a timeline. */
function discussionEntry(view: DiscussionView, discussion: ShownDiscussion): Html {
  const [first] = discussion.notes
  if (first === undefined) return html``
  if (first.system) return systemEntry(view, first)
  return timelineEntry({ by: first.author }, discussionCard(view, discussion))
}

/** One thread or comment, for timelines and for lines of a diff. */
export function discussionCard(view: DiscussionView, discussion: ShownDiscussion): Html {
  const resolvable = discussion.notes.filter((note) => note.resolvable)
  const isResolved = resolvable.length > 0 && resolvable.every((note) => note.resolved === true)
  const body = threadBody(view, discussion)
  const above = view.above?.(discussion)
  const foot = threadFoot(view, discussion, { isResolved, isResolvable: resolvable.length > 0 })
  const inner = html`${above !== undefined && html`<div class="top">${above}</div>`}${body}${foot}`
  if (!isResolved) return html`<div class="thread" id="discussion_${discussion.id}">${inner}</div>`
  const by = resolvable.at(-1)?.resolved_by
  return html`<details class="thread" id="discussion_${discussion.id}"><summary class="top">${icon('check-circle')} Resolved${by && ` by ${by.name}`} · ${plural(discussion.notes.length + discussion.omitted, 'comment')}</summary>${inner}</details>`
}

function threadBody(view: DiscussionView, { id, notes, omitted }: ShownDiscussion): Html {
  const cards = notes.map((note, at) =>
    note.system
      ? html`<p class="comment event-text">${systemText(view, note)}</p>`
      : noteView(view, note, { discussionId: id, isReply: at > 0 }),
  )
  if (omitted === 0) return html`${cards}`
  const href = withQuery(view.threadAddress ?? view.noteable.address, { discussion: id })
  return html`${cards.slice(0, 1)}<div class="more">${buttonLink(href, `Show ${plural(omitted, 'more reply', 'more replies')}`)}</div>${cards.slice(1)}`
}

function threadFoot(
  view: DiscussionView,
  { id }: ShownDiscussion,
  { isResolved, isResolvable }: { isResolved: boolean; isResolvable: boolean },
): Html | undefined {
  const reply = replyForm(view, id)
  const { noteable, mayResolve = false, call } = view
  const resolve =
    isResolvable &&
    mayResolve &&
    html`<form class="inline" method="post" action="${noteable.address}/discussions/${id}/resolve">${csrfField(call)}${backField(view)}<button name="resolved" value="${isResolved ? '0' : '1'}">${isResolved ? 'Unresolve thread' : 'Resolve thread'}</button></form>`
  if (reply === undefined && resolve === false) return undefined
  return html`<div class="foot row"><div class="grow">${reply}</div>${resolve}</div>`
}

function systemEntry(view: DiscussionView, note: Note): Html {
  return timelineEntry(
    { icon: systemNoteIcon(note.body) },
    html`<div class="event-text" id="note_${note.id}">${systemText(view, note)}</div>`,
    'event',
  )
}

function systemText({ call, texts }: DiscussionView, note: Note): Html {
  return html`${authorLink(note.author)} ${prose(texts.notes.get(note.id) ?? '')} ${timeAgo(note.created_at, call.now)}`
}

function authorLink(author: Note['author']): Html {
  return html`<a class="author" href="${address(author.username)}">${author.name}</a>`
}

/** Changes of labels by one user at one time are one entry. */
function labelEntries({ call, texts }: DiscussionView): Entry[] {
  const groups = Map.groupBy(texts.labelEvents, ({ user, created_at: at }) => `${user.id} ${at}`)
  return [...groups.values()].flatMap((events) => {
    const [first] = events
    if (first === undefined) return []
    const text = html`<div class="event-text">${authorLink(first.user)} ${labelChange(events)} ${timeAgo(first.created_at, call.now)}</div>`
    return [
      {
        at: first.created_at,
        body: timelineEntry({ icon: 'tag' }, text, 'event', `label ${first.id}`),
      },
    ]
  })
}

function labelChange(events: readonly LabelEvent[]): Html {
  const [added, removed] = (['add', 'remove'] as const).map((action) =>
    events.filter((event) => event.action === action),
  )
  const list = (verb: string, of: readonly LabelEvent[] = []) =>
    of.length === 0
      ? undefined
      : html`${verb} ${of.map(({ label: shown }) => html`${shown === null ? 'a deleted label' : label({ name: shown.name, color: shown.color })} `)}`
  const one = list('added', added)
  const other = list('removed', removed)
  return html`${one}${one !== undefined && other !== undefined && 'and '}${other}`
}

/** Links to the pages of a long discussion, and to its newest comment, wherever that is. */
function pageLinks(
  { page, texts, noteable, call }: DiscussionView,
  where: 'above' | 'below',
): Html | undefined {
  const { position, thread } = page
  const { page: at, totalPages, nextPage, prevPage } = position
  const isOnlyPage = nextPage === null && prevPage === null
  const newest = texts.newestComment && newestLink(texts.newestComment, noteable, call.now)
  if (isOnlyPage && newest === undefined) return undefined
  const link = (to: number, text: string) => {
    const own = { page: to === 1 ? undefined : to, discussion: thread, note_id: undefined }
    return buttonLink(withQuery(noteable.address, own, call.query), text)
  }
  return html`<nav class="pages" aria-label="Pages of the discussion, ${where} it">
${prevPage !== null && html`${link(1, 'Oldest')} ${link(prevPage, 'Older')}`}
${!isOnlyPage && html`<span class="muted">Page ${at ?? 1}${totalPages !== null && ` of ${totalPages}`}</span>`}
${nextPage !== null && html`${link(nextPage, 'Newer')} ${totalPages !== null && link(totalPages, 'Newest')}`}
${newest}
</nav>`
}

/** The script tells readers of other pages of the discussion if this changes. */
function newestLink({ id, author, created_at: at }: Note, { address }: Noteable, now: number) {
  return html`<a href="${noteAddress(address, id)}" data-newest="${id}" data-author="${author.name}">Newest comment by ${author.name} ${timeAgo(at, now)}</a>`
}
