import { findBranch, isAncestor } from '@stithy/git'
import { findRepository, type MergeRequestRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { loadItemForJob } from './merge-request-for-job.ts'
import { close } from './update/merge-request-states.ts'

/**
 * Closes an open merge request whose source branch was deleted. If its head is in the target branch
 * already, it stays open: the push that brought the head there marks it as merged.
 */
export async function closeForDeletedBranch(
  app: App,
  request: MergeRequestRow,
  actorId: number,
): Promise<void> {
  if (await isHeadInTarget(app, request)) return
  const item = await loadItemForJob(app, request)
  if (item === undefined) return
  const now = app.now()
  const notes = [
    { action: 'source_branch_deleted', branch: request.sourceBranch },
    { action: 'closed' },
  ] as const
  await app.db.transaction((tx) => close(tx, item, { userId: actorId, at: now, now }, notes))
}

async function isHeadInTarget(app: App, request: MergeRequestRow): Promise<boolean> {
  const { projectId, headSha, baseSha, startSha, targetBranch } = request
  const target = await findRepository(app.db, projectId)
  if (target === undefined || headSha === baseSha) return false
  const repository = repositoryOf(app, target)
  const tip = await findBranch(app.git, repository, targetBranch)
  if (tip === undefined || tip.oid === startSha) return false
  return isAncestor(app.git, repository, headSha, tip.oid)
}
