import {
  finishAllTodosOf,
  type MemberSource,
  type TodoTarget,
  type Transaction,
} from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { enqueueHiddenTodoRemoval } from './lost-access.service.ts'
import { addTodos, addTodosAbout, finishTodos } from './todo.service.ts'

/** Removes todos, an hour later, about items that a former member can no longer read. */
export async function removeTodosOfFormerMember(
  tx: Transaction,
  { memberId, now }: Change<'member.left' | 'member.expired'>,
): Promise<void> {
  await enqueueHiddenTodoRemoval(tx, { userId: memberId }, now)
}

type FinishingKind =
  | 'issue.closed'
  | 'issue.reopened'
  | 'epic.closed'
  | 'epic.reopened'
  | 'merge_request.closed'
  | 'merge_request.reopened'
  | 'merge_request.merged'
  | 'merge_request.pushed'
  | 'merge_request.approved'
  | 'note.created'

/** Marks the user's todos about the item as done: they have acted on it. */
export async function finishTodosOfActor(
  tx: Transaction,
  { item, userId, now }: Change<FinishingKind>,
): Promise<void> {
  await finishTodos(tx, { item, userId, at: now })
}

/** Does the same for changes of titles, descriptions, milestones, assignees and labels. */
export async function finishTodosOfEditor(
  tx: Transaction,
  {
    item,
    userId,
    now,
    finishesTodos,
  }: Change<'issue.updated' | 'merge_request.updated' | 'epic.updated'>,
): Promise<void> {
  if (finishesTodos) await finishTodos(tx, { item, userId, at: now })
}

/** Adds todos for new assignees. */
export async function addTodosOfAssignees(
  tx: Transaction,
  { item, userId, now, assigned }: Change<'issue.updated' | 'merge_request.updated'>,
): Promise<void> {
  if (assigned === undefined) return
  const userIds = assigned.after.filter((id) => !assigned.before.includes(id))
  await addTodos(tx, { item, userIds, authorId: userId, action: 'assigned', at: now })
}

/** Adds todos for the assignees of a new item, unless it is a closed copy. */
export async function addTodosOfFirstAssignees(
  tx: Transaction,
  { item, userId, now }: Change<'issue.created' | 'merge_request.created'>,
): Promise<void> {
  if (item.row.state !== 'opened') return
  const { assigneeIds: userIds } = item
  await addTodos(tx, { item, userIds, authorId: userId, action: 'assigned', at: now })
}

/** Removes, an hour later, the todos of users who cannot read a newly confidential issue. */
export async function removeTodosOfHiddenIssue(
  tx: Transaction,
  { before, item, now }: Change<'issue.updated'>,
): Promise<void> {
  if (before.row.confidential === 1 || item.row.confidential === 0) return
  await enqueueHiddenTodoRemoval(tx, { issueId: item.row.id }, now)
}

/** Adds todos for the users who decide about a request for access. */
export async function addTodosOfDeciders(
  tx: Transaction,
  { source, deciderIds: userIds, userId, now }: Change<'access.requested'>,
): Promise<void> {
  if (userId === null || userIds.length === 0) return
  const action = 'member_access_requested' as const
  const target = targetOf(source)
  await addTodosAbout(tx, { target, userIds, authorId: userId, action, at: now })
}

/** Marks them as done when every request was decided or withdrawn. */
export async function finishTodosOfDeciders(
  tx: Transaction,
  { source, now }: Change<'access.settled'>,
): Promise<void> {
  await finishAllTodosOf(tx, { target: targetOf(source), at: now })
}

function targetOf({ sourceKind: type, sourceId: id }: MemberSource): TodoTarget {
  const projectId = type === 'project' ? id : null
  return { type, id, commitId: null, projectId, groupId: type === 'group' ? id : null }
}
