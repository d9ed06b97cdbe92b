import { enqueueJob, hasApprovalRules, resetApprovals, type Transaction } from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { type ApproverTodos, approverTodosKind } from './approver-todos.service.ts'

/** Removes the approvals of a merge request after a push, unless that was a rebase started here. */
export async function resetApprovalsAfterPush(
  tx: Transaction,
  { item }: Change<'merge_request.pushed'>,
): Promise<void> {
  const { id: mergeRequestId, projectId, headSha, rebasedSha } = item.row
  if (headSha === rebasedSha) return
  await resetApprovals(tx, { mergeRequestId, projectId })
}

/** Does the same when it gets another target branch: what was approved is another change. */
export async function resetApprovalsAfterRetarget(
  tx: Transaction,
  { mergeRequestId, projectId, isRetargeted }: Change<'merge_request.version_added'>,
): Promise<void> {
  if (isRetargeted) await resetApprovals(tx, { mergeRequestId, projectId })
}

/** Enqueues a job that adds todos for the approvers of a new merge request. */
export async function enqueueApproverTodos(
  tx: Transaction,
  { item, userId, now }: Change<'merge_request.created'>,
): Promise<void> {
  const { id, projectId } = item.row
  if (!(await hasApprovalRules(tx, projectId))) return
  const payload: ApproverTodos = { id, authorId: userId }
  await enqueueJob(tx, { queue: 'default', kind: approverTodosKind, payload }, now)
}
