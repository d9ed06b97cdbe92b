import {
  enqueueJob,
  listOpenFromProjects,
  stampOf,
  type Transaction,
  touchStamp,
} from '@stithy/store'
import type { Change } from '../../platform/changes/change.ts'
import { closeMergedIssuesKind } from './closing/closing.service.ts'
import { refreshJob } from './merge-request-refresh.service.ts'
import { addBuildFailedTodos } from './merge-request-todos.ts'

/** Enqueues a job that refreshes the merge requests from and into the branches of a push. */
export async function enqueueMergeRequestRefresh(
  tx: Transaction,
  { push, now }: Change<'refs.moved'>,
): Promise<void> {
  await enqueueJob(tx, refreshJob(push), now)
}

export const completeMergeRequestKind = 'merge-request.complete'

/** Enqueues a job that publishes the head of a new merge request, and processes earlier pushes. */
export async function enqueueMergeRequestCompletion(
  tx: Transaction,
  { item, now }: Change<'merge_request.created'>,
): Promise<void> {
  const payload = { id: item.row.id }
  await enqueueJob(tx, { queue: 'pushes', kind: completeMergeRequestKind, payload }, now)
}

/** Enqueues a job that closes the issues that a merged merge request closes, one by one. */
export async function enqueueIssueClosing(
  tx: Transaction,
  { item, now }: Change<'merge_request.merged'>,
): Promise<void> {
  const payload = { id: item.row.id }
  await enqueueJob(tx, { queue: 'pushes', kind: closeMergedIssuesKind, payload }, now)
}

export const removeMergeRequestRefsKind = 'merge-request.remove-refs'

/** Enqueues a job that removes the refs of a deleted merge request. */
export async function enqueueRefRemoval(
  tx: Transaction,
  { item, now }: Change<'merge_request.deleted'>,
): Promise<void> {
  const { projectId, iid } = item.row
  const payload = { projectId, iid }
  await enqueueJob(tx, { queue: 'pushes', kind: removeMergeRequestRefsKind, payload }, now)
}

/** Invalidates the totals of merge request lists. */
export async function touchMergeRequestLists(
  tx: Transaction,
  { item }: Change<'merge_request.updated'>,
): Promise<void> {
  touchStamp(tx, stampOf('mergeRequests', item.row.projectId))
}

export const closeMergeRequestsKind = 'merge-request.close'

/** Merge requests that one job closes. */
const maxClosed = 100

/**
 * Enqueues jobs that close the merge requests into other projects, of a deleted source or of one
 * that is no fork any more.
 */
export async function enqueueClosingFromProjects(
  tx: Transaction,
  { projectIds, userId, now }: Change<'project.deleted'> | Change<'project.fork_unlinked'>,
): Promise<void> {
  const ids = await listOpenFromProjects(tx, projectIds)
  for (let at = 0; at < ids.length; at += maxClosed) {
    const payload = { ids: ids.slice(at, at + maxClosed), userId }
    await enqueueJob(tx, { queue: 'pushes', kind: closeMergeRequestsKind, payload }, now)
  }
}

export async function addBuildFailedTodosToAuthors(
  tx: Transaction,
  { projectId, branch, sha, now }: Change<'commit_status.failed'>,
): Promise<void> {
  await addBuildFailedTodos(tx, { projectId, branch, sha }, now)
}
