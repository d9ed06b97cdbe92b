import { conflict, DomainError, validationFailed } from '@stithy/core'
import { findBranch } from '@stithy/git'
import { addVersion, type Transaction } from '@stithy/store'
import {
  isStored,
  type MergeRequestDraft,
  type MergeRequestItem,
} from '../../../planning/items/item.ts'
import type { App } from '../../../platform/app.ts'
import type { ChangeBy } from '../../../platform/changes/change.ts'
import { recordChange } from '../../../platform/changes/record-change.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { type Draft, draftVersion } from '../merge-request-version.service.ts'
import { requireOnlyOpen } from '../open/only-open.service.ts'

/** The version of a merge request for another target branch. */
export interface Retarget {
  branch: string
  draft: Draft
}

/**
 * Computes the version of a merge request for another target branch; undefined if that is its
 * target already, or if it is not open.
 * @throws DomainError as `requireTarget`; `conflict` if another open merge request has the same
 * source and target.
 */
export async function planRetarget(
  app: App,
  item: MergeRequestItem,
  branch: string,
): Promise<Retarget | undefined> {
  const { row } = item
  if (branch === row.targetBranch || row.state !== 'opened') return undefined
  const startSha = await requireTarget(app, item, branch)
  await requireOnlyOpen(app, { ...row, targetBranch: branch })
  const project = item.project.row
  const ends = { target: project, source: project, headSha: row.headSha, startSha }
  return { branch, draft: await draftVersion(app, ends, row) }
}

/**
 * The tip of a branch that a merge request, also one to be created, can have as its target.
 * @throws DomainError `validation_failed` for a branch that does not exist; `unprocessable` for the
 * source branch.
 */
async function requireTarget(
  app: App,
  { row, project }: MergeRequestItem | MergeRequestDraft,
  branch: string,
): Promise<string> {
  requireDifferentBranches(
    { projectId: row.sourceProjectId, branch: row.sourceBranch },
    { projectId: row.projectId, branch },
  )
  const tip = await findBranch(app.git, repositoryOf(app, project.row), branch)
  if (tip === undefined) throw validationFailed({ target_branch: ['does not exist'] })
  return tip.oid
}

/**
 * Whether the target branch of a merge request, also one to be created, can be changed to this one.
 * @throws DomainError as `planRetarget`
 */
export async function canRetarget(
  app: App,
  item: MergeRequestItem | MergeRequestDraft,
  branch: string,
): Promise<boolean> {
  if (isStored(item)) return (await planRetarget(app, item, branch)) !== undefined
  await requireTarget(app, item, branch)
  return true
}

interface Side {
  projectId: number | null
  branch: string
}

/** @throws DomainError `unprocessable` if both sides are the same branch of the same project. */
export function requireDifferentBranches(source: Side, target: Side): void {
  if (source.projectId !== target.projectId || source.branch !== target.branch) return
  throw baseError("You can't use same project/branch for source and target")
}

/** A refusal that v4 clients expect as a list of texts. */
export function baseError(text: string): DomainError {
  return new DomainError('unprocessable', { error: [text] })
}

/**
 * Gives a merge request that the transaction has locked the version for its new target.
 * @throws DomainError `conflict` if it got another version meanwhile.
 */
export async function applyRetarget(
  tx: Transaction,
  { row }: MergeRequestItem,
  { draft }: Retarget,
  { userId, at, now }: ChangeBy,
): Promise<void> {
  const added = await addVersion(tx, {
    mergeRequestId: row.id,
    projectId: row.projectId,
    afterVersionId: row.latestVersionId,
    version: draft.version,
    mergeStatus: 'unchecked',
    now,
  })
  if (!added) throw conflict('409 Conflict: Resource lock')
  const { id: mergeRequestId, projectId } = row
  const change = { userId, at, now, mergeRequestId, projectId, isRetargeted: true }
  await recordChange(tx, { kind: 'merge_request.version_added', ...change })
}
