import { notice } from '../../platform/design/card.ts'
import { csrfField, errorSummary, textArea } from '../../platform/design/form-fields.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import { backField, type DiscussionView, failedAt } from './discussion-view.ts'

/** What a comment may do besides. */
export interface CommentOptions {
  /** The button that also closes or opens the thing again. */
  stateEvent?: { value: 'close' | 'reopen'; text: string } | undefined
  /** Whether slash commands work there. */
  hasQuickActions?: boolean
}

/** The form for a new comment; visitors are asked to sign in. */
export function commentForm(view: DiscussionView, options: CommentOptions = {}): Html {
  const { call, noteable, viewer, mayComment } = view
  if (viewer === null) {
    const href = withQuery('/users/sign_in', { return_to: noteable.address })
    return notice(html`<a href="${href}">Sign in</a> to take part in the discussion.`)
  }
  if (!mayComment) return notice(`You can’t comment on this ${noteable.noun}.`)
  const failed = failedAt(view, 'comment')
  const { stateEvent, hasQuickActions = false } = options
  return html`<form method="post" action="${noteable.address}/notes" id="new_comment" aria-label="New comment">
${csrfField(call)}${backField(view)}${errorSummary(failed?.formErrors ?? [])}
${textArea({
  id: 'body',
  label: 'Comment',
  value: failed?.form.text('body') ?? '',
  format: 'markdown',
  rows: 5,
  hint: hasQuickActions
    ? html`Markdown works. Quick actions such as <code>/label ~bug</code>, <code>/assign @user</code> or <code>/close</code> stand on lines of their own.`
    : 'Markdown works.',
  formErrors: failed?.formErrors ?? [],
})}
<div class="buttons"><button class="primary" name="do" value="comment">Comment</button>
${noteable.resolve !== undefined && html`<button name="do" value="thread">Start thread</button>`}
${stateEvent !== undefined && html`<button name="do" value="${stateEvent.value}">${stateEvent.text}</button>`}</div>
</form>`
}

/** The form for a reply, folded until it is needed. */
export function replyForm(view: DiscussionView, discussionId: string): Html | undefined {
  const { call, noteable, viewer, mayComment } = view
  if (viewer === null || !mayComment) return undefined
  const failed = failedAt(view, discussionId)
  const id = `reply_${discussionId.slice(0, 12)}`
  return html`<details class="reply"${failed !== undefined && html` open`}><summary>Reply</summary>
<form method="post" action="${noteable.address}/notes">${csrfField(call)}${backField(view)}<input type="hidden" name="discussion" value="${discussionId}">
${errorSummary(failed?.formErrors ?? [])}
${textArea({ id, name: 'body', label: 'Reply', value: failed?.form.text('body') ?? '', format: 'markdown', rows: 3, required: true, formErrors: failed?.formErrors ?? [] })}
<div class="buttons"><button class="primary" name="do" value="reply">Reply</button></div></form></details>`
}
