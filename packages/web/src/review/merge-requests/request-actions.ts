import { withoutWorkInProgress, withWorkInProgress } from '@stithy/core'
import { submit } from '../../platform/forms/submit.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { attempt, type Explanations } from './attempt.ts'
import { requestAddress } from './merge-request-address.ts'
import { showRequest } from './overview/request-page.ts'
import { requestKey, requestParams } from './request-call.ts'

const moved = 'The source branch was changed meanwhile: look at the new commits first.'

/** An action of a merge request, which leads back to it, or to the reasons why it was refused. */
function action(
  call: PageCall,
  done: PromiseLike<unknown>,
  explanations: Explanations,
  part = '',
): Promise<Reply> {
  return attempt(done, explanations).then((formErrors) =>
    formErrors.length > 0
      ? showRequest(call, { formErrors })
      : redirect(requestAddress(requestKey(call)) + part),
  )
}

/** `POST …/merge`; what is merged already stays so. */
export function mergeRequest(call: PageCall): Promise<Reply> {
  return action(call, unlessMerged(call, merge(call)), {
    401: 'You may not merge into the target branch.',
    405: 'It can’t be merged as it is: see what is missing.',
    406: 'The branches can’t be merged: there are conflicts, or a rebase is needed.',
    409: moved,
  })
}

function merge({ client, form, params }: PageCall): PromiseLike<unknown> {
  return client.mergeRequests.merge({
    ...requestParams({ params }),
    sha: form.text('sha'),
    squash: form.isChecked('squash'),
    should_remove_source_branch: form.isChecked('should_remove_source_branch'),
    merge_when_pipeline_succeeds: form.isChecked('merge_when_pipeline_succeeds'),
    merge_commit_message: form.text('merge_commit_message'),
    squash_commit_message: form.text('squash_commit_message'),
  })
}

/** A form that is sent twice is refused the second time, also while the first one is at work. */
async function unlessMerged(call: PageCall, merged: PromiseLike<unknown>): Promise<void> {
  try {
    await merged
  } catch (error) {
    const { state } = await call.client.mergeRequests.show(requestParams(call))
    if (state !== 'merged' && state !== 'locked') throw error
  }
}

/** `POST …/cancel_auto_merge`. */
export function cancelAutoMerge(call: PageCall): Promise<Reply> {
  const cancelled = call.client.mergeRequests.cancelMergeWhenPipelineSucceeds(requestParams(call))
  return action(call, cancelled, {
    401: 'You may not cancel the merge.',
    405: 'It is not open any more.',
    406: 'It doesn’t wait for a pipeline any more.',
  })
}

/** `POST …/rebase`; the page shows when it is done. */
export function rebaseRequest(call: PageCall): Promise<Reply> {
  return action(call, call.client.mergeRequests.rebase(requestParams(call)), {
    403: 'You may not push to the source branch.',
    409: 'It can’t be rebased now: it is not open, or a rebase is under way.',
  })
}

/** `POST …/approve`, of the commits that the viewer has seen. */
export function approveRequest(call: PageCall): Promise<Reply> {
  const sha = call.form.text('sha')
  const approved = call.client.mergeRequests.approve({ ...requestParams(call), sha })
  const refused = { 401: 'You may not approve it, or have approved it already.', 409: moved }
  return action(call, approved, refused, '#approvals')
}

/** `POST …/unapprove`. */
export function unapproveRequest(call: PageCall): Promise<Reply> {
  const taken = call.client.mergeRequests.unapprove(requestParams(call))
  return action(call, taken, { 401: 'You may not approve it.' }, '#approvals')
}

/** `POST …/state`: closes or reopens it. */
export async function changeRequestState(call: PageCall): Promise<Reply> {
  const event = call.form.text('event') === 'reopen' ? 'reopen' : 'close'
  const changed = await submit(setRequestState(call, event))
  return changed.ok
    ? redirect(requestAddress(requestKey(call)))
    : showRequest(call, { formErrors: changed.formErrors })
}

export function setRequestState({ client, params }: PageCall, event: 'close' | 'reopen') {
  return client.mergeRequests.update({ ...requestParams({ params }), state_event: event })
}

/** `POST …/draft`: marks it as a draft, or as ready. */
export async function changeRequestDraft(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const { title } = await client.mergeRequests.show(requestParams(call))
  const isDraft = form.isChecked('draft')
  const other = isDraft ? withWorkInProgress(title) : withoutWorkInProgress(title)
  const changed = await submit(
    client.mergeRequests.update({ ...requestParams(call), title: other }),
  )
  return changed.ok
    ? redirect(requestAddress(requestKey(call)))
    : showRequest(call, { formErrors: changed.formErrors })
}

/** `POST …/subscription`. */
export function changeRequestSubscription(call: PageCall): Promise<Reply> {
  const { mergeRequests } = call.client
  const changed = call.form.isChecked('subscribed')
    ? mergeRequests.subscribe(requestParams(call))
    : mergeRequests.unsubscribe(requestParams(call))
  return action(call, changed.catch(unlessUnmodified), {})
}

/** `POST …/todo`. */
export function addRequestTodo(call: PageCall): Promise<Reply> {
  const added = call.client.mergeRequests.todos.create(requestParams(call))
  return action(call, added.catch(unlessUnmodified), {})
}

/** A second press changes nothing more. */
function unlessUnmodified(error: unknown): void {
  const isUnmodified =
    typeof error === 'object' && error !== null && 'status' in error && error.status === 304
  if (!isUnmodified) throw error
}
