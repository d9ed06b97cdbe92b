import type { TodoAction } from '@stithy/core'
import { insertTodos, listOpenFrom, type MergeRequestRow, type Transaction } from '@stithy/store'

type Request = Pick<
  MergeRequestRow,
  'id' | 'projectId' | 'authorId' | 'mergeUserId' | 'mergeWhenPipelineSucceeds'
>

/** Tells the people behind merge requests that they cannot be merged any more (catalogue: planning, 5). */
export async function addUnmergeableTodos(
  tx: Transaction,
  requests: readonly Request[],
  at: number,
): Promise<void> {
  for (const request of requests) await tellPeople(tx, request, 'unmergeable', at)
}

/**
 * Tells the people behind the open merge requests whose head is this commit of this branch that a check of it
 * failed (catalogue: planning, 5; repository, 4).
 */
export async function addBuildFailedTodos(
  tx: Transaction,
  { projectId, branch, sha }: { projectId: number; branch: string; sha: string },
  at: number,
): Promise<void> {
  const requests = await listOpenFrom(tx, { projectId, branch })
  for (const request of requests) {
    if (request.headSha === sha) await tellPeople(tx, request, 'build_failed', at)
  }
}

/** The author, and who asked for a merge as soon as the pipeline succeeds; the author is named as the cause. */
async function tellPeople(
  tx: Transaction,
  request: Request,
  action: TodoAction,
  at: number,
): Promise<void> {
  const { id, projectId, authorId, mergeUserId } = request
  const waiting = request.mergeWhenPipelineSucceeds === 1 ? mergeUserId : null
  const userIds = waiting === null ? [authorId] : [authorId, waiting]
  const target = { type: 'merge_request', id, commitId: null, projectId, groupId: null } as const
  await insertTodos(tx, { target, userIds, authorId, action, noteId: null, at })
}
