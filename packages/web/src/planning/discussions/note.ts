import type { Note } from '@stithy/core'
import { avatar } from '../../platform/design/avatar.ts'
import { badge } from '../../platform/design/badge.ts'
import { csrfField, errorSummary, textArea } from '../../platform/design/form-fields.ts'
import { icon } from '../../platform/design/icon.ts'
import { menu } from '../../platform/design/navigation.ts'
import { prose } from '../../platform/design/prose.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { address, noteAddress, withQuery } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import {
  backField,
  type DiscussionView,
  failedAt,
  mayEdit,
  shownAddress,
} from './discussion-view.ts'
import { reactions } from './reactions.ts'

interface Place {
  discussionId: string
  /** Replies show a small picture: that of the first note stands beside the thread. */
  isReply: boolean
}

/** One comment: who, when, what, and the reactions to it. */
export function noteView(view: DiscussionView, note: Note, place: Place): Html {
  const isEdited = isEditing(view, note)
  return html`<article class="comment" id="note_${note.id}" aria-label="Comment of ${note.author.name}">
<header>${place.isReply && avatar(note.author)}<a class="author" href="${address(note.author.username)}">${note.author.name}</a>
<span>@${note.author.username}</span> ${noteTime(view, note)}
<span class="end">${note.author.id === view.authorId && badge('Author')}${!isEdited && noteMenu(view, note, place)}</span></header>
<div class="body">${isEdited ? editForm(view, note, place) : noteBody(view, note)}</div>
</article>`
}

function noteTime({ call, noteable }: DiscussionView, note: Note): Html {
  const edited = Date.parse(note.updated_at) - Date.parse(note.created_at) >= 1000
  const href = noteAddress(noteable.address, note.id)
  return html`<a class="muted" href="${href}">${timeAgo(note.created_at, call.now)}</a>${
    edited && html` <span>· edited ${timeAgo(note.updated_at, call.now)}</span>`
  }`
}

function noteBody({ call, noteable, texts, viewer, mayComment }: DiscussionView, note: Note): Html {
  const { awards } = noteable
  return html`${prose(texts.notes.get(note.id) ?? '')}${
    awards !== undefined &&
    reactions({
      call,
      address: noteable.address,
      noteId: note.id,
      awards: texts.awards,
      mayAward: viewer !== null && mayComment,
    })
  }`
}

function noteMenu(view: DiscussionView, note: Note, { discussionId }: Place): Html | undefined {
  if (!mayEdit(view, note)) return undefined
  const href = withQuery(
    view.noteable.address,
    { edit_note: note.id, in: discussionId },
    view.call.query,
  )
  return menu({
    summary: icon('kebab-horizontal'),
    label: `Actions on the comment of ${note.author.name}`,
    look: 'plain',
    items: [html`<a href="${href}#note_${note.id}">Edit or delete</a>`],
  })
}

function isEditing(view: DiscussionView, note: Note): boolean {
  if (!mayEdit(view, note)) return false
  const isAsked = view.call.query.get('edit_note') === String(note.id)
  return isAsked || failedAt(view, `note_${note.id}`) !== undefined
}

function editForm(view: DiscussionView, note: Note, { discussionId }: Place): Html {
  const { call, noteable } = view
  const failed = failedAt(view, `note_${note.id}`)
  const id = `note_${note.id}_body`
  const back = shownAddress(view)
  const action = `${noteable.address}/notes/${note.id}`
  const hidden = html`${csrfField(call)}${backField(view)}<input type="hidden" name="discussion" value="${discussionId}">`
  return html`${errorSummary(failed?.formErrors ?? [])}<form method="post" action="${action}">${hidden}
${textArea({ id, name: 'body', label: 'Comment', value: failed?.form.text('body') ?? view.texts.edited ?? note.body, format: 'markdown', required: true, formErrors: failed?.formErrors ?? [] })}
<div class="buttons"><button class="primary">Save comment</button> <a href="${back}#note_${note.id}">Cancel</a></div></form>
<details class="reply"><summary>Delete this comment</summary><form method="post" action="${action}/delete">${hidden}
<p>It can’t be brought back.</p><button class="danger">Delete comment</button></form></details>`
}
