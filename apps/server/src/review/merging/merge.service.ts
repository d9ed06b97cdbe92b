import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { DomainError } from '@stithy/core'
import { type BranchMerged, findBranch, GitError } from '@stithy/git'
import { deleteMergeJob, toFlag, toFlagOrNull, updateMergeRequestRow } from '@stithy/store'
import { Semaphore } from 'async-mutex'
import { holdBranch } from '../../code/pushes/branch-hold.ts'
import { changeRefs } from '../../code/pushes/ref-change.service.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { closeMergedIssues } from '../merge-requests/closing/closing.service.ts'
import { reload } from '../merge-requests/update/merge-request-type.ts'
import { queueMerge } from './auto-merge.service.ts'
import {
  type Mergeable,
  type MergeCheck,
  notMergeable,
  requireMergeable,
} from './merge-checks.service.ts'
import { createMergeCommits } from './merge-commits.service.ts'
import {
  abandonMerge,
  finishMerge,
  hasMoved,
  lockMerge,
  mergeLeaseMs,
} from './merge-settle.service.ts'
import type { PendingMerge, WaitingMerge } from './pending-merge.ts'
import { removeSourceBranch } from './source-branch.service.ts'

/** How a merge request is to be merged (`PUT .../merge`). */
export interface MergeOptions extends MergeCheck, WaitingMerge {}

/** Attempts while anybody may push to the target branch, and then while pushes to it wait. */
const fairAttempts = 3
const heldAttempts = 7

/** More would wait for each other's processes, and all other requests for them. */
const mergesAtOnce = 4 * availableParallelism()
const slots = new WeakMap<App, Semaphore>()

function slotsOf(app: App): Semaphore {
  const known = slots.get(app) ?? new Semaphore(mergesAtOnce)
  slots.set(app, known)
  return known
}

/**
 * Merges a merge request, or lets it wait for its pipeline, and returns it as it is afterwards: a
 * failure that only git could tell leaves it open, with `mergeError`.
 * @throws DomainError as `requireMergeable` does.
 */
export function acceptMergeRequest(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  options: MergeOptions,
): Promise<MergeRequestItem> {
  return slotsOf(app).runExclusive(() => accept(app, caller, item, options))
}

async function accept(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  options: MergeOptions,
): Promise<MergeRequestItem> {
  const { projectId, targetBranch } = item.row
  const branch = { projectId, ref: `refs/heads/${targetBranch}` }
  const isDone = async (isHolder: boolean) => {
    const mergeable = await requireMergeable(app, caller, item, options)
    if (mergeable.waits && (await queueMerge(app, caller, mergeable.item, options))) return true
    return tryMerge(app, caller, mergeable, { ...options, isHolder })
  }
  const isDoneWithin = async (tries: number, isHolder: boolean) => {
    for (let attempt = 1; attempt <= tries; attempt += 1) if (await isDone(isHolder)) return true
    return false
  }
  // Held for all of them: a push that waited for one attempt would be faster than the next.
  const merged =
    (await isDoneWithin(fairAttempts, false)) ||
    (await holdBranch(branch, () => isDoneWithin(heldAttempts, true)))
  if (!merged) {
    await saveError(app, item, 'The target branch changed all the time. Please try again.')
  }
  return reload(app, item)
}

/** False if another push or merge was faster, which another attempt takes into account. */
async function tryMerge(
  app: App,
  caller: Caller,
  { item, targetSha }: Mergeable,
  options: MergeOptions & { isHolder: boolean },
): Promise<boolean> {
  const squash = options.squash ?? item.row.squash === 1
  const merged = await createCommits(app, caller, item, { ...options, targetSha, squash })
  if (typeof merged === 'string') {
    await saveError(app, item, merged)
    return true
  }
  if (merged.oid === undefined) {
    throw new DomainError('not_acceptable', { message: 'Branch cannot be merged' })
  }
  const pending: PendingMerge = {
    key: randomUUID(),
    userId: requireCaller(caller).id,
    before: targetSha,
    after: merged.oid,
    mergeCommitSha: merged.mergeCommit,
  }
  const locks = {
    shouldRemoveSourceBranch: toFlagOrNull(options.shouldRemoveSourceBranch),
    squash: toFlag(squash || item.row.squash === 1),
  }
  const jobId = await lockMerge(app, item, pending, locks)
  if (jobId === undefined) {
    const { row } = await reload(app, item)
    if (row.state !== 'opened') throw notMergeable()
    return false
  }
  const locked = { ...item, row: { ...item.row, ...locks } }
  return moveTarget(app, caller, { item: locked, pending, jobId }, options)
}

/** The new commits, or why git could not create them. */
async function createCommits(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
  plan: Parameters<typeof createMergeCommits>[3],
): Promise<BranchMerged | string> {
  try {
    return await createMergeCommits(app, caller, item, plan)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    app.log.warn({ err: error, mergeRequest: item.row.id }, 'a merge failed')
    if (plan.squash) return 'Failed to squash. Should be done manually.'
    return 'Failed to merge. Should be done manually.'
  }
}

/** A locked merge request. */
interface LockedMerge {
  item: MergeRequestItem
  pending: PendingMerge
  jobId: number
}

/**
 * Moves the target branch and marks the merge request as merged. Otherwise it is opened again; false
 * if it is to be tried again, because the branch moved meanwhile.
 */
async function moveTarget(
  app: App,
  caller: Caller,
  locked: LockedMerge,
  { isHolder }: { isHolder: boolean },
): Promise<boolean> {
  const { item, pending } = locked
  const { row, project: subject } = item
  const ref = `refs/heads/${row.targetBranch}`
  const updates = [{ ref, before: pending.before, after: pending.after }]
  let failure: unknown
  try {
    await changeRefs(app, { subject, caller, updates, merging: true, isHolder })
  } catch (error) {
    failure = error
  }
  if (failure === undefined || (await hasMoved(app, item, pending))) {
    const removal = await finishMerge(app, { ...locked, removalDelayMs: mergeLeaseMs })
    await closeIssues(app, item)
    if (removal !== undefined) {
      await removeSourceBranch(app, row.id, pending.userId)
      await deleteMergeJob(app.db, removal)
    }
    return true
  }
  const tip = await findBranch(app.git, repositoryOf(app, subject.row), row.targetBranch)
  const isOvertaken = tip?.oid !== pending.before
  const mergeError = isOvertaken ? null : errorText(app, item, failure)
  await abandonMerge(app, { ...locked, id: row.id, mergeError })
  return !isOvertaken
}

/** Milliseconds that the answer waits for issues to be closed: commits may have long messages. */
const maxClosingMs = 2000

/** Before the answer; the job of the merge repeats it after a crash or an error. */
async function closeIssues(app: App, { row: { id } }: MergeRequestItem): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  const late = delay(maxClosingMs, undefined, { signal, ref: false }).catch(() => undefined)
  const closed = closeMergedIssues(app, id).catch((error: unknown) => {
    app.log.warn({ err: error, mergeRequest: id }, 'issues are not closed yet')
  })
  await Promise.race([closed, late]).finally(() => waiting.abort())
}

function errorText(app: App, { row }: MergeRequestItem, failure: unknown): string {
  if (failure instanceof DomainError) return failure.message
  app.log.error({ err: failure, mergeRequest: row.id }, 'a merge failed')
  return 'Something went wrong during merge. Please try again.'
}

async function saveError(app: App, { row }: MergeRequestItem, mergeError: string): Promise<void> {
  await app.db.transaction((tx) => updateMergeRequestRow(tx, row.id, { mergeError }))
}
