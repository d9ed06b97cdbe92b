import { parseRef } from '@stithy/core'
import { findBranch } from '@stithy/git'
import {
  findRepository,
  listOpenBySource,
  listOpenByTarget,
  type MergeRequestRow,
} from '@stithy/store'
import type { RecordedPush } from '../../code/pushes/push.changes.ts'
import type { App } from '../../platform/app.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { closeForDeletedBranch, existingActor } from './merge-request-close.service.ts'
import { markMergedByPush } from './merge-request-merged.service.ts'
import { renewMergeRequest } from './merge-request-renew.service.ts'
import type { PushedBranch } from './pushed-branch.ts'

export const refreshMergeRequestsKind = 'merge-requests.refresh'

/**
 * Updates open merge requests after a push, branch by branch, in this order: closes those whose
 * source branch was deleted, marks those as merged whose head is in their target, and gives those
 * with the branch as source or target a new version. It reads the current state of the
 * repositories, so it may run twice, late, or concurrently.
 */
export async function refreshMergeRequests(
  app: App,
  push: RecordedPush,
  signal: AbortSignal,
): Promise<void> {
  const project = await findRepository(app.db, push.projectId)
  if (project === undefined) return
  let actorId: number | undefined
  for (const update of push.updates) {
    const named = parseRef(update.ref)
    if (named?.type !== 'branch') continue
    const branch = { projectId: project.id, branch: named.name }
    const outgoing = await listOpenBySource(app.db, branch)
    const incoming = await listOpenByTarget(app.db, branch)
    if (outgoing.length + incoming.length === 0) continue
    actorId ??= await existingActor(app, push.userId)
    const pushed = { project, branch: named.name, update, actorId }
    await refreshBranch(app, pushed, { outgoing, incoming }, signal)
  }
}

async function refreshBranch(
  app: App,
  pushed: PushedBranch,
  open: { outgoing: readonly MergeRequestRow[]; incoming: readonly MergeRequestRow[] },
  signal: AbortSignal,
): Promise<void> {
  const { project, branch, actorId } = pushed
  const tip = await findBranch(app.git, repositoryOf(app, project), branch)
  if (tip === undefined) {
    for (const request of open.outgoing) await closeForDeletedBranch(app, request, actorId)
  }
  await markMergedByPush(app, pushed, open.incoming)
  // A merge request may have the same branch name, of another project, as its source.
  const outgoing = new Set(open.outgoing.map(({ id }) => id))
  const ids = new Set([...open.outgoing, ...open.incoming].map(({ id }) => id))
  for (const id of ids) {
    signal.throwIfAborted()
    await renewMergeRequest(app, id, outgoing.has(id) ? actorId : undefined)
  }
}
