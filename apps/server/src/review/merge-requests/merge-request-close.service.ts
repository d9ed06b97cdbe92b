import { findBranch, isAncestor } from '@stithy/git'
import { findMergeRequestById, findRepository, type MergeRequestRow } from '@stithy/store'
import { existingActor } from '../../directory/users/ghost.service.ts'
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
  await app.db.transaction(async (tx) => {
    const userId = await existingActor(tx, actorId, now)
    await close(tx, item, { userId, at: now, now }, notes)
  })
}

/** Merge requests whose source project is gone, or no longer related. */
export interface Sourceless {
  ids: readonly number[]
  /** Who deleted or unlinked it; null for the server itself. */
  userId: number | null
}

/**
 * Closes those of the merge requests that are open.
 * @throws Error if one is being merged, which decides its state: try again
 */
export async function closeSourceless(app: App, { ids, userId }: Sourceless): Promise<void> {
  for (const id of ids) {
    const request = await findMergeRequestById(app.db, id)
    if (request?.state === 'locked') throw new Error(`merge request ${id} is being merged`)
    const item = request && (await loadItemForJob(app, request))
    if (item === undefined) continue
    const now = app.now()
    await app.db.transaction(async (tx) => {
      const by = { userId: await existingActor(tx, userId, now), at: now, now }
      await close(tx, item, by)
    })
  }
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
