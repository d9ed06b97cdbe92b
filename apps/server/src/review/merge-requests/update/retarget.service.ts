import { conflict, DomainError, validationFailed } from '@stithy/core'
import { findBranch } from '@stithy/git'
import { addVersion, findRepository, listOpenBySource, type Transaction } from '@stithy/store'
import type { MergeRequestItem } from '../../../planning/items/item.ts'
import type { App } from '../../../platform/app.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { type Draft, draftVersion } from '../merge-request-version.service.ts'

/** The version of a merge request for another target branch. */
export interface Retarget {
  branch: string
  draft: Draft
}

/**
 * Computes the version of a merge request for another target branch; undefined if that is its
 * target already, or if it is not open.
 * @throws DomainError `validation_failed` for a branch that does not exist; `unprocessable` for the
 * source branch; `conflict` if another open merge request has the same source and target.
 */
export async function planRetarget(
  app: App,
  { row }: MergeRequestItem,
  branch: string,
): Promise<Retarget | undefined> {
  if (branch === row.targetBranch || row.state !== 'opened') return undefined
  const target = { projectId: row.projectId, branch }
  requireDifferentBranches({ projectId: row.sourceProjectId, branch: row.sourceBranch }, target)
  const project = await findRepository(app.db, row.projectId)
  const tip = project && (await findBranch(app.git, repositoryOf(app, project), branch))
  if (project === undefined || tip === undefined) {
    throw validationFailed({ target_branch: ['does not exist'] })
  }
  await requireOnly(app, row, branch)
  const { headSha } = row
  const ends = { target: project, source: project, headSha, startSha: tip.oid }
  const draft = await draftVersion(app, ends, row)
  return { branch, draft }
}

/** Whether `planRetarget` would return a version. @throws as it does */
export async function canRetarget(
  app: App,
  item: MergeRequestItem,
  branch: string,
): Promise<boolean> {
  return (await planRetarget(app, item, branch)) !== undefined
}

/** @throws DomainError `conflict` if another open merge request has the same source and target. */
export async function requireOnly(
  app: App,
  row: MergeRequestItem['row'],
  branch: string,
): Promise<void> {
  if (row.sourceProjectId === null) return
  const source = { projectId: row.sourceProjectId, branch: row.sourceBranch }
  const other = (await listOpenBySource(app.db, source)).find((request) => {
    const isSame = request.projectId === row.projectId && request.targetBranch === branch
    return isSame && request.id !== row.id
  })
  if (other === undefined) return
  throw duplicate(other.iid)
}

/** The refusal of a second open merge request with the same source and target. */
export function duplicate(iid: number): DomainError {
  const text = `Another open merge request already exists for this source branch: !${iid}`
  return new DomainError('conflict', { reasons: [text] })
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
  now: number,
): Promise<void> {
  const added = await addVersion(tx, {
    mergeRequestId: row.id,
    projectId: row.projectId,
    afterVersionId: row.latestVersionId,
    version: draft.version,
    title: row.title,
    mergeStatus: 'unchecked',
    now,
  })
  if (!added) throw conflict('409 Conflict: Resource lock')
}
