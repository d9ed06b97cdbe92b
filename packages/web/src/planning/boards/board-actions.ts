import type { Board, Issue } from '@stithy/core'
import { submit } from '../../platform/forms/submit.ts'
import { isMissing } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { findUsers } from '../items/find-users.ts'
import { labelTitles } from '../items/item-labels.ts'
import { ownAddress } from '../items/plan-owner.ts'
import { boardCalls, type NewList } from './board-calls.ts'
import { boardPage } from './board-page.ts'

/** Makes a call of a form of a board, and shows the board again. */
async function act(call: PageCall, work: PromiseLike<unknown>): Promise<Reply> {
  const done = await submit(work)
  return done.ok
    ? redirect(ownAddress(call, 'boards', rowId(call)))
    : boardPage(call, done.formErrors)
}

/** `POST …/-/boards`. */
export async function createBoard(call: PageCall): Promise<Reply> {
  const created = await submit(boardCalls(call).create(call.form.text('name')), {
    name: 'new_board',
  })
  return created.ok
    ? redirect(ownAddress(call, 'boards', created.value.id))
    : boardPage(call, created.formErrors)
}

/** `POST …/-/boards/:id`: another name. */
export function renameBoard(call: PageCall): Promise<Reply> {
  return act(call, boardCalls(call).rename(rowId(call), call.form.text('name')))
}

export async function deleteBoard(call: PageCall): Promise<Reply> {
  const done = await submit(boardCalls(call).remove(rowId(call)))
  return done.ok ? redirect(ownAddress(call, 'boards')) : boardPage(call, done.formErrors)
}

/** `POST …/-/boards/:id/lists`: a list of a label, a user or a milestone. */
export async function createList(call: PageCall): Promise<Reply> {
  const { form } = call
  const [labelId, milestoneId] = [form.number('label_id'), form.number('milestone_id')]
  const username = form.optionalText('assignee')
  const users = await findUsers(call, username ?? '', 'assignee')
  if (!users.ok) return boardPage(call, users.formErrors)
  const [userId] = users.ids
  const list: NewList = {
    ...(labelId !== undefined && { label_id: labelId }),
    ...(userId !== undefined && { assignee_id: userId }),
    ...(milestoneId !== undefined && { milestone_id: milestoneId }),
  }
  if (Object.keys(list).length !== 1) {
    const text = 'Choose a label, a user or a milestone, and one of them alone.'
    return boardPage(call, [{ field: 'label_id', text }])
  }
  return act(call, boardCalls(call).createList(rowId(call), list))
}

/** `POST …/-/boards/:id/lists/:list`: moves or removes a list. */
export function changeList(call: PageCall): Promise<Reply> {
  const { form } = call
  const calls = boardCalls(call)
  const [board, list] = [rowId(call), rowId(call, 'list')]
  return act(
    call,
    form.has('remove')
      ? calls.removeList(board, list)
      : calls.moveList(board, list, form.number('position') ?? 0),
  )
}

/** `POST …/-/boards/:id/move`: takes an issue from one list to another, or beside another issue, or both. */
export async function moveCard(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const ids = { projectId: form.number('project') ?? 0, issueIid: form.number('iid') ?? 0 }
  const [before, after] = [form.number('before'), form.number('after')]
  const move = async () => {
    if (form.has('to')) await moveToList(call, ids)
    if (before !== undefined) await client.issues.reorder({ ...ids, move_before_id: before })
    else if (after !== undefined) await client.issues.reorder({ ...ids, move_after_id: after })
  }
  try {
    return await act(call, move())
  } catch (error) {
    if (!isMissing(error)) throw error
    return boardPage(call, [{ field: '', text: 'One of these issues is no longer there.' }])
  }
}

/** Makes an issue leave one list and be in another. */
async function moveToList(
  call: PageCall,
  ids: { projectId: number; issueIid: number },
): Promise<void> {
  const { client, form } = call
  const [board, issue] = await loadAll([
    boardCalls(call).show(rowId(call)),
    client.issues.show(ids),
  ])
  const change = changeOf(board, issue, { from: form.text('from'), to: form.text('to') })
  if (Object.keys(change).length > 0) await client.issues.update({ ...ids, ...change })
}

interface Move {
  from: string
  to: string
}

/** What makes an issue leave one list and be in another. */
function changeOf({ lists }: Board, issue: Issue, { from, to }: Move) {
  const [old, next] = [from, to].map((key) => lists.find(({ id }) => String(id) === key))
  // An issue that was closed, or goes to the open ones, leaves all lists: it is shown in one alone.
  const left = old === undefined || to === 'open' ? lists : [old]
  const leftLabels = new Set(left.map(({ label }) => label?.name))
  const labels = labelTitles(issue.labels).filter((title) => !leftLabels.has(title))
  if (next?.label !== undefined && !labels.includes(next.label.name)) labels.push(next.label.name)
  const isRelabelled = labels.join() !== labelTitles(issue.labels).join()
  const users = issue.assignees.map(({ id }) => id).filter((id) => id !== old?.assignee?.id)
  if (next?.assignee !== undefined) users.push(next.assignee.id)
  const isReassigned = old?.assignee !== undefined || next?.assignee !== undefined
  return {
    // Closing leaves the labels as they are, so that the issue comes back where it was.
    ...(isRelabelled && to !== 'closed' && { labels }),
    ...(isReassigned && to !== 'closed' && { assignee_ids: [...new Set(users)] }),
    ...(next?.milestone !== undefined && { milestone_id: next.milestone.id }),
    ...(old?.milestone !== undefined &&
      next?.milestone === undefined &&
      to !== 'closed' && { milestone_id: null }),
    ...(to === 'closed' && issue.state === 'opened' && { state_event: 'close' as const }),
    ...(to !== 'closed' && issue.state === 'closed' && { state_event: 'reopen' as const }),
  }
}
