import { closedRemark, deletedBranchRemark } from '@stithy/core'
import { findBranch, isAncestor } from '@stithy/git'
import {
  closeMergeRequest,
  dropClosings,
  findRepository,
  type MergeRequestRow,
  recordEvent,
} from '@stithy/store'
import type { App } from '../app.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { tellOfDeed, unseenItem } from './merge-request-remarks.ts'

/**
 * Closes an open merge request whose source branch is gone (catalogue: merge requests, 3). One whose head is
 * in the target branch already is left to the push that brought it there: its turn comes, and it counts as
 * merged.
 */
export async function closeVanished(
  app: App,
  request: MergeRequestRow,
  actorId: number,
): Promise<void> {
  if (await hasArrived(app, request)) return
  const { id, iid, title, projectId } = request
  const item = await unseenItem(app, request)
  if (item === undefined) return
  const now = app.now()
  await app.db.transaction(async (tx) => {
    if (!(await closeMergeRequest(tx, { id, userId: actorId, now }))) return
    await dropClosings(tx, [id])
    const bodies = [deletedBranchRemark(request.sourceBranch), closedRemark()]
    await tellOfDeed(tx, item, { authorId: actorId, bodies, at: now })
    await recordEvent(tx, {
      projectId,
      authorId: actorId,
      action: 'closed',
      target: { type: 'merge_request', id, iid, title },
      createdAt: now,
    })
  })
}

async function hasArrived(app: App, request: MergeRequestRow): Promise<boolean> {
  const { projectId, headSha, baseSha, startSha, targetBranch } = request
  const target = await findRepository(app.db, projectId)
  if (target === undefined || headSha === baseSha) return false
  const repository = repositoryOf(app, target)
  const tip = await findBranch(app.git, repository, targetBranch)
  if (tip === undefined || tip.oid === startSha) return false
  return isAncestor(app.git, repository, headSha, tip.oid)
}
