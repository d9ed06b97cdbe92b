import { conflict, DomainError, isPipelineActive, isPipelinePassed } from '@stithy/core'
import { findBranch, isAncestor } from '@stithy/git'
import {
  findLastPipelineOn,
  findRepository,
  hasOpenThreads,
  type MergeRequestRow,
  type PipelineRow,
  type Queries,
} from '@stithy/store'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { approvalsSatisfied } from '../approvals/approval-state.service.ts'
import { renewMergeRequest } from '../merge-requests/merge-request-renew.service.ts'
import { withMergeStatus } from '../merge-requests/mergeability.service.ts'
import { mayMerge } from '../merge-requests/read/merge-request-detail.service.ts'
import { reload } from '../merge-requests/update/merge-request-type.ts'

/** What the caller asks for besides the merge itself. */
export interface MergeCheck {
  /** The head that the caller has seen. */
  sha?: string | undefined
  /** Whether to wait for a running pipeline instead of merging now. */
  whenPipelineSucceeds?: boolean | undefined
}

/** A merge request that can be merged. */
export interface Mergeable {
  /** As it is after pushes that were not processed yet. */
  item: MergeRequestItem
  /** The tip of the target branch. */
  targetSha: string
  /** Whether it is to wait for its pipeline. */
  waits: boolean
}

/**
 * The refusal of a merge request in a state that cannot be merged, as v4 clients expect it.
 * @see requireMergeable
 */
export function notMergeable(): DomainError {
  return new DomainError('method_not_allowed', { message: '405 Method Not Allowed' })
}

function branchCannotBeMerged(): DomainError {
  return new DomainError('not_acceptable', { message: 'Branch cannot be merged' })
}

/**
 * Checks whether the caller may merge a merge request now (`PUT .../merge`), in this order.
 * @throws DomainError `unauthorized` if the caller may not merge into the target branch;
 * `method_not_allowed` in a state that prevents it; `not_acceptable` if git cannot merge it;
 * `conflict` if `sha` is not the head.
 */
export async function requireMergeable(
  app: App,
  caller: Caller,
  before: MergeRequestItem,
  { sha, whenPipelineSucceeds = false }: MergeCheck,
): Promise<Mergeable> {
  if (!(await mayMerge(app, caller, before))) throw new DomainError('unauthorized')
  await renewMergeRequest(app, before.row.id)
  const item = await reload(app, before)
  const { row } = item
  // The target may have changed since it was loaded, also between two attempts.
  const isRetargeted = row.targetBranch !== before.row.targetBranch
  if (isRetargeted && !(await mayMerge(app, caller, item))) throw new DomainError('unauthorized')
  const targetSha = await findTarget(app, item)
  if (targetSha === undefined || !isReady(row)) throw notMergeable()
  const waits = whenPipelineSucceeds && isWaiting(await findHeadPipelineOf(app.db, row))
  if (!(await meetsRules(app, item, waits))) throw notMergeable()
  if (!(await fits(app, item, targetSha))) throw branchCannotBeMerged()
  if (sha !== undefined && sha !== row.headSha) {
    throw conflict(`SHA does not match HEAD of source branch: ${row.headSha}`)
  }
  return { item, targetSha, waits }
}

/** Whether the source branch has commits that the target branch lacked. */
export function hasCommits(row: MergeRequestRow): boolean {
  return row.baseSha !== row.headSha
}

function isReady(row: MergeRequestRow): boolean {
  const isOpen = row.state === 'opened' && row.workInProgress === 0
  return isOpen && hasCommits(row) && row.mergeStatus !== 'cannot_be_merged'
}

/** The tip of the target branch, if both branches exist. */
export async function findTarget(app: App, { row, project }: MergeRequestItem) {
  if (row.sourceProjectId === null) return undefined
  const source = await findRepository(app.db, row.sourceProjectId)
  if (source === undefined) return undefined
  const head = await findBranch(app.git, repositoryOf(app, source), row.sourceBranch)
  if (head === undefined) return undefined
  return (await findBranch(app.git, repositoryOf(app, project.row), row.targetBranch))?.oid
}

/** The newest pipeline of the head, whoever may see it. */
export async function findHeadPipelineOf(
  q: Queries,
  { sourceProjectId, headSha: sha, sourceBranch: ref }: MergeRequestRow,
): Promise<PipelineRow | undefined> {
  if (sourceProjectId === null) return undefined
  return findLastPipelineOn(q, { projectId: sourceProjectId, sha, ref })
}

function isWaiting(pipeline: PipelineRow | undefined): boolean {
  return pipeline !== undefined && isPipelineActive(pipeline.status)
}

/** The rules that the project sets: each is one more reason for a 405. */
async function meetsRules(app: App, item: MergeRequestItem, waits: boolean): Promise<boolean> {
  if (!waits && (await checkPipeline(app, item)) === 'failed') return false
  if ((await checkDiscussions(app, item)) === 'failed') return false
  return approvalsSatisfied(app, item)
}

type RuleStatus = 'passed' | 'failed' | 'inactive'

/** Whether the newest pipeline of the head has passed, if the project asks for it. */
export async function checkPipeline(
  app: App,
  { row, project }: MergeRequestItem,
): Promise<RuleStatus> {
  if (project.row.onlyAllowMergeIfPipelineSucceeds !== 1) return 'inactive'
  const pipeline = await findHeadPipelineOf(app.db, row)
  return pipeline !== undefined && isPipelinePassed(pipeline.status) ? 'passed' : 'failed'
}

/** Whether all threads are resolved, if the project asks for it. */
export async function checkDiscussions(
  app: App,
  { row, project }: MergeRequestItem,
): Promise<RuleStatus> {
  if (project.row.onlyAllowMergeIfAllDiscussionsAreResolved !== 1) return 'inactive'
  return (await hasOpenThreads(app.db, { mergeRequestId: row.id })) ? 'failed' : 'passed'
}

/** Whether git can merge it, the way that the project merges. */
async function fits(
  app: App,
  { row, project }: MergeRequestItem,
  targetSha: string,
): Promise<boolean> {
  const [checked] = await withMergeStatus(app, [row])
  if (checked?.mergeStatus === 'cannot_be_merged') return false
  const repository = repositoryOf(app, project.row)
  if (targetSha !== row.startSha) {
    // A push that brought the head there is about to mark it as merged.
    if (await isAncestor(app.git, repository, row.headSha, targetSha)) return false
  }
  return !(await needsRebase(app, { row, project }, targetSha))
}

/** Whether the source branch lacks commits of the target, which the project merges without a commit. */
export async function needsRebase(
  app: App,
  { row, project }: Pick<MergeRequestItem, 'row' | 'project'>,
  targetSha: string,
): Promise<boolean> {
  if (project.row.mergeMethod === 'merge') return false
  if (targetSha === row.startSha) return row.baseSha !== targetSha
  return !(await isAncestor(app.git, repositoryOf(app, project.row), targetSha, row.headSha))
}
