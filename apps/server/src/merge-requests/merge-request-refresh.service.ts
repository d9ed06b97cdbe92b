import { parseRef, type RefUpdate } from '@stithy/core'
import { findBranch } from '@stithy/git'
import {
  findRepository,
  findUserRefs,
  listOpenFrom,
  listOpenInto,
  type MergeRequestRow,
  type RepositoryRow,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { RecordedPush } from '../pushes/push-effects.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { ensureGhost } from '../users/ghost.service.ts'
import { closeVanished } from './merge-request-close.service.ts'
import { mergeArrived } from './merge-request-merged.service.ts'
import { renewMergeRequest } from './merge-request-renew.service.ts'

export const refreshMergeRequestsKind = 'merge-requests.refresh'

/** One branch that somebody pushed. */
export interface PushedBranch {
  project: RepositoryRow
  branch: string
  update: RefUpdate
  /** Who pushed; the ghost where that user is gone. */
  actorId: number
}

/**
 * Does to open merge requests what follows from a push, branch by branch in the order of the catalogue
 * (repository, 14): those whose source branch is gone are closed, those whose head has arrived in their
 * target are merged, and those with the branch as source or target get a new version. It goes by what the
 * repositories hold now, so that it may run twice, late, or beside another of its kind.
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
    const place = { projectId: project.id, branch: named.name }
    const outgoing = await listOpenFrom(app.db, place)
    const incoming = await listOpenInto(app.db, place)
    if (outgoing.length + incoming.length === 0) continue
    actorId ??= await actorOf(app, push.userId)
    const pushed = { project, branch: named.name, update, actorId }
    await refreshBranch(app, pushed, { outgoing, incoming }, signal)
  }
}

async function actorOf(app: App, userId: number): Promise<number> {
  const [user] = await findUserRefs(app.db, [userId])
  return user?.id ?? ensureGhost(app)
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
    for (const request of open.outgoing) await closeVanished(app, request, actorId)
  }
  await mergeArrived(app, pushed, open.incoming)
  // A request may come from the very branch that it goes into, of another project.
  const ids = new Set([...open.outgoing, ...open.incoming].map(({ id }) => id))
  for (const id of ids) {
    signal.throwIfAborted()
    await renewMergeRequest(app, id)
  }
}
