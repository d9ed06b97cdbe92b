import { parseRef, type RefUpdate } from '@stithy/core'
import { findBranch } from '@stithy/git'
import {
  type BranchKey,
  enqueueJob,
  findRepository,
  listOpenBySource,
  listOpenByTarget,
  markBranchGone,
  type NewJob,
} from '@stithy/store'
import type { RecordedPush } from '../../code/pushes/push.changes.ts'
import type { App } from '../../platform/app.ts'
import { inBatches } from '../../platform/jobs/in-batches.ts'
import type { JobOutcome } from '../../platform/jobs/run-job.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { createKeyedMutex } from '../../platform/threads/keyed-mutex.ts'
import { noteBranchPresence } from './branch-presence.service.ts'
import { closeForDeletedBranch } from './merge-request-close.service.ts'
import { markMergedByPush } from './merge-request-merged.service.ts'
import { renewMergeRequest } from './merge-request-renew.service.ts'

export const refreshMergeRequestsKind = 'merge-requests.refresh'

/**
 * Merge requests that one job brings up to date. The rest goes to the end of the queue, so that a
 * push to a branch of thousands holds up those of other projects only for a moment.
 */
const maxRenewals = 20

/** A merge request to bring up to date. */
interface Renewal {
  id: number
  /** Who pushed, if it was to its source branch. */
  actorId?: number | undefined
}

/** A push whose merge requests are to be refreshed. */
export interface Refresh extends RecordedPush {
  /** Those of the first of its updates that an earlier job left. */
  renewals?: readonly Renewal[] | undefined
}

/** The job of a push, or of the rest that another one left. */
export function refreshJob(payload: Refresh): NewJob {
  return { queue: 'merge-requests', kind: refreshMergeRequestsKind, payload }
}

/**
 * Updates open merge requests after a push, branch by branch, in this order: closes those whose
 * source branch was deleted, marks those as merged whose head is in their target, and gives those
 * with the branch as source or target a new version. It reads the current state of the
 * repositories, so it may run twice, late, or concurrently.
 * @param limit new versions at most; returns what is left then
 */
export async function refreshMergeRequests(
  app: App,
  refresh: Refresh,
  signal: AbortSignal,
  limit = Number.POSITIVE_INFINITY,
): Promise<Refresh | undefined> {
  let left = limit
  for (const [at, update] of refresh.updates.entries()) {
    const known = at === 0 ? refresh.renewals : undefined
    const renewals = known ?? (await settleBranch(app, refresh, update))
    await renewAll(app, renewals.slice(0, left), update, signal)
    if (renewals.length > left) {
      return { ...refresh, updates: refresh.updates.slice(at), renewals: renewals.slice(left) }
    }
    left -= renewals.length
  }
  return undefined
}

const inTurn = createKeyedMutex<number>()

/**
 * Updates as many as a job may, and enqueues one for the rest. The jobs of a project take turns in
 * this process: a later push that overtook an earlier one would leave it without a version.
 */
export function refreshSome(
  app: App,
  refresh: Refresh,
  signal: AbortSignal,
  job: JobOutcome,
): Promise<void> {
  return inTurn(refresh.projectId, () => refreshUpToLimit(app, refresh, signal, job))
}

async function refreshUpToLimit(
  app: App,
  refresh: Refresh,
  signal: AbortSignal,
  job: JobOutcome,
): Promise<void> {
  const rest = await refreshMergeRequests(app, refresh, signal, maxRenewals)
  if (rest === undefined) return
  await app.db.transaction(async (tx) => {
    await enqueueJob(tx, refreshJob(rest), app.now())
    await job.complete(tx)
  })
}

/**
 * Closes and marks as merged what a push decides, without the new versions of merge requests into
 * its branches.
 */
export async function settleMergeRequests(
  app: App,
  push: RecordedPush,
  signal: AbortSignal,
): Promise<void> {
  for (const update of push.updates) {
    const renewals = await settleBranch(app, push, update)
    // Another branch of the same push may have the new head.
    const sources = renewals.filter(({ actorId }) => actorId !== undefined)
    await renewAll(app, sources, update, signal)
  }
}

async function renewAll(
  app: App,
  renewals: readonly Renewal[],
  update: RefUpdate,
  signal: AbortSignal,
): Promise<void> {
  for (const { id, actorId } of renewals) {
    signal.throwIfAborted()
    await renewMergeRequest(app, id, actorId === undefined ? undefined : { actorId, update })
  }
}

/** Closes and marks as merged what a push to a branch decides; returns which are left. */
async function settleBranch(
  app: App,
  { projectId, userId: actorId, pushedAt }: RecordedPush,
  update: RefUpdate,
): Promise<Renewal[]> {
  const named = parseRef(update.ref)
  if (named?.type !== 'branch') return []
  const branch = { projectId, branch: named.name }
  const outgoing = await listOpenBySource(app.db, branch)
  const incoming = await listOpenByTarget(app.db, branch)
  const isDeletion = update.after === null
  if (outgoing.length + incoming.length === 0 && !isDeletion) return []
  const project = await findRepository(app.db, projectId)
  if (project === undefined) return []
  const tip = await findBranch(app.git, repositoryOf(app, project), named.name)
  if (tip === undefined) {
    for (const request of outgoing) await closeForDeletedBranch(app, request, actorId)
    if (isDeletion) await markClosed(app, branch)
  } else {
    await noteBranchPresence(app, { ...branch, update, actorId, pushedAt }, outgoing)
  }
  await markMergedByPush(app, { project, branch: named.name, update, actorId }, incoming)
  // A merge request may have the same branch name, of another project, as its source.
  const sources = new Set(outgoing.map(({ id }) => id))
  const targets = incoming.filter(({ id }) => !sources.has(id))
  return [...outgoing.map(({ id }) => ({ id, actorId })), ...targets.map(({ id }) => ({ id }))]
}

/** Updates the `merge_status` of the closed ones whose source or target branch is gone. */
async function markClosed(app: App, branch: BranchKey): Promise<void> {
  for (const side of ['source', 'target'] as const) {
    await inBatches((limit) => markBranchGone(app.db, { ...branch, side, limit }))
  }
}
