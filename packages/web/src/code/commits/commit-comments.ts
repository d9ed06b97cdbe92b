import { person } from '../../platform/design/avatar.ts'
import { card } from '../../platform/design/card.ts'
import { csrfField, textArea } from '../../platform/design/form-fields.ts'
import { prose } from '../../platform/design/prose.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { commentLinks } from '../diffs/comment-links.ts'
import type { DiffPlace } from '../diffs/diff-entry.ts'
import type { DiffSlots } from '../diffs/diff-lines.ts'
import type { RefusedForm, RenderedComment } from './commit-forms.ts'

/** Comments on lines, by `new 10 path`. */
export type PlacedComments = ReadonlyMap<string, readonly RenderedComment[]>

export function placedComments(comments: readonly RenderedComment[]): PlacedComments {
  return Map.groupBy(comments, ({ line_type: type, line, path }) => `${type} ${line} ${path}`)
}

/** Whether forms for comments are offered, and one of them that was refused. */
export interface CommentForms {
  mayComment: boolean
  refused: RefusedForm | undefined
}

/** Comments below the lines of a diff, and a link on each line to write one. */
export function commentSlots(
  call: PageCall,
  comments: PlacedComments,
  { mayComment, refused }: CommentForms,
): DiffSlots {
  const { query } = call
  const wanted = refused?.form.optionalText('line_code') ?? query.get('comment_on')
  return {
    below(place) {
      const found = commentsOn(comments, place).map((comment) => commentView(comment, call.now))
      const form = mayComment && wanted === place.code && commentForm(call, refused, place)
      return found.length > 0 || form ? html`${found}${form}` : undefined
    },
    ...(mayComment && { action: commentLinks({ parameter: 'comment_on', query }) }),
  }
}

function commentsOn(comments: PlacedComments, place: DiffPlace): readonly RenderedComment[] {
  if (comments.size === 0) return []
  const { oldLine, newLine, oldPath, newPath } = place
  const onNew = newLine === null ? [] : (comments.get(`new ${newLine} ${newPath}`) ?? [])
  const onOld = oldLine === null ? [] : (comments.get(`old ${oldLine} ${oldPath}`) ?? [])
  return [...onNew, ...onOld]
}

function commentView({ author, created_at: time, html: text }: RenderedComment, now: number): Html {
  return html`<article class="commit-comment"><p class="row small">${person(author)} <span class="muted">${timeAgo(time, now)}</span></p>${prose(text)}</article>`
}

/** The id of the text area: a page has up to two, and errors lead to the one that was refused. */
export function noteField(line: unknown): 'note' | 'line-note' {
  return line === undefined ? 'note' : 'line-note'
}

function commentForm(call: PageCall, refused: RefusedForm | undefined, place?: DiffPlace): Html {
  const isOld = place?.kind === 'removed'
  const line = isOld ? place?.oldLine : place?.newLine
  const on =
    place !== undefined &&
    html`<input type="hidden" name="line_code" value="${place.code}"><input type="hidden" name="line_path" value="${isOld ? place.oldPath : place.newPath}"><input type="hidden" name="line" value="${line}"><input type="hidden" name="line_type" value="${isOld ? 'old' : 'new'}">`
  const isMine = (refused?.form.optionalText('line_code') ?? '') === (place?.code ?? '')
  const shown = isMine ? refused : undefined
  const self = projectAddress(projectPath(call), 'commit', call.params.sha ?? '')
  return html`<form method="post" action="${withQuery(self, {}, call.query)}">${csrfField(call)}${on}
${textArea({ id: noteField(place), name: 'note', label: 'Comment', value: shown?.form.text('note') ?? '', format: 'markdown', rows: 4, formErrors: shown?.formErrors ?? [] })}
<div class="buttons"><button class="primary">${place === undefined ? 'Comment' : 'Comment on this line'}</button></div></form>`
}

/** Comments on the commit itself, and the form for another one. */
export function commentList(
  call: PageCall,
  comments: readonly RenderedComment[],
  { mayComment, refused }: CommentForms,
): Html {
  const own = comments.filter(({ line }) => line === null)
  const items = own.map((comment) => commentView(comment, call.now))
  const body = html`${items}${mayComment ? commentForm(call, refused) : own.length === 0 && html`<p class="muted">No comments yet.</p>`}`
  return card({ title: 'Comments', id: 'comments', body })
}
