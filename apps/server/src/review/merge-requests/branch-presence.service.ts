import type { RefUpdate } from '@stithy/core'
import { findItemsWithSystemNote, lockMergeRequest, type MergeRequestRow } from '@stithy/store'
import { existingActor } from '../../directory/users/ghost.service.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { loadItemForJob } from './merge-request-for-job.ts'

/** A push that deleted or created a branch. */
interface BranchPush {
  branch: string
  update: RefUpdate
  actorId: number
  /** Milliseconds. */
  pushedAt: number
}

/**
 * Notes on open merge requests that their source branch was deleted or restored: by pushes in a row,
 * after which the branch exists. Does nothing for a push that moved the branch, or that is older
 * than the merge request, and nothing the second time.
 */
export async function noteBranchPresence(
  app: App,
  push: BranchPush,
  requests: readonly MergeRequestRow[],
): Promise<void> {
  const { before, after } = push.update
  if (before !== null && after !== null) return
  for (const request of requests) {
    if (request.createdAt < push.pushedAt) await noteOn(app, push, request)
  }
}

async function noteOn(
  app: App,
  { branch, update, actorId, pushedAt: at }: BranchPush,
  request: MergeRequestRow,
): Promise<void> {
  const item = await loadItemForJob(app, request)
  if (item === undefined) return
  const isDeletion = update.after === null
  const action = isDeletion ? 'source_branch_deleted' : 'source_branch_restored'
  const note = { action, branch } as const
  const { id } = request
  await app.db.transaction(async (tx) => {
    const row = await lockMergeRequest(tx, id)
    if (row?.state !== 'opened') return
    const noted = await findItemsWithSystemNote(tx, { type: 'merge_request', ids: [id], note, at })
    if (noted.has(id)) return
    const now = app.now()
    const by = { userId: await existingActor(tx, actorId, now), at, now }
    await recordChange(tx, { kind: 'item.noted', ...by, item: { ...item, row }, notes: [note] })
  })
}
