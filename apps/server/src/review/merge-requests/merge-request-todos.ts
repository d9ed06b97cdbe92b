import type { TodoAction } from '@stithy/core'
import { listOpenBySource, type MergeRequestRow, type Transaction } from '@stithy/store'
import { addTodosAbout } from '../../planning/todos/todo.service.ts'

type Request = Pick<
  MergeRequestRow,
  'id' | 'projectId' | 'authorId' | 'mergeUserId' | 'mergeWhenPipelineSucceeds'
>

/** Adds todos for the participants of merge requests that can no longer be merged. */
export async function addUnmergeableTodos(
  tx: Transaction,
  requests: readonly Request[],
  at: number,
): Promise<void> {
  for (const request of requests) await notifyUsers(tx, request, 'unmergeable', at)
}

/**
 * Adds todos for the participants of open merge requests whose head is this commit of this branch,
 * because a check of it failed.
 */
export async function addBuildFailedTodos(
  tx: Transaction,
  { projectId, branch, sha }: { projectId: number; branch: string; sha: string },
  at: number,
): Promise<void> {
  const requests = await listOpenBySource(tx, { projectId, branch })
  for (const request of requests) {
    if (request.headSha === sha) await notifyUsers(tx, request, 'build_failed', at)
  }
}

/**
 * The author, and the user who set merge_when_pipeline_succeeds; the author counts as the cause.
 */
async function notifyUsers(
  tx: Transaction,
  request: Request,
  action: TodoAction,
  at: number,
): Promise<void> {
  const { id, projectId, authorId, mergeUserId } = request
  const waiting = request.mergeWhenPipelineSucceeds === 1 ? mergeUserId : null
  const userIds = waiting === null ? [authorId] : [authorId, waiting]
  const target = { type: 'merge_request', id, commitId: null, projectId, groupId: null } as const
  await addTodosAbout(tx, { target, userIds, authorId, action, at })
}
