import { conflict, validationFailed } from '@stithy/core'
import { findBranch } from '@stithy/git'
import { addVersion, findRepository, listOpenFrom, type Transaction } from '@stithy/store'
import type { App } from '../../app.ts'
import type { MergeRequestItem } from '../../items/item.ts'
import { repositoryOf } from '../../repositories/repository.service.ts'
import { type Draft, draftVersion } from '../merge-request-version.service.ts'

/** What a merge request brings to another branch than before. */
export interface Retarget {
  branch: string
  draft: Draft
}

/**
 * Works out what a merge request brings to another target branch; undefined where it leads there already, or
 * is not open.
 * @throws DomainError `validation_failed` for a branch that does not exist, or is the source; `conflict` where
 *   another open request leads from the one to the other.
 */
export async function planRetarget(
  app: App,
  { row }: MergeRequestItem,
  branch: string,
): Promise<Retarget | undefined> {
  if (branch === row.targetBranch || row.state !== 'opened') return undefined
  if (row.sourceProjectId === row.projectId && branch === row.sourceBranch) {
    throw validationFailed({ target_branch: ["can't be the source branch"] })
  }
  const target = await findRepository(app.db, row.projectId)
  const tip = target && (await findBranch(app.git, repositoryOf(app, target), branch))
  if (target === undefined || tip === undefined) {
    throw validationFailed({ target_branch: ['does not exist'] })
  }
  await requireOnly(app, row, branch)
  const { headSha } = row
  const draft = await draftVersion(app, { target, source: target, headSha, startSha: tip.oid })
  return { branch, draft }
}

/** @throws DomainError `conflict` where another open request has the same source and target. */
export async function requireOnly(
  app: App,
  row: MergeRequestItem['row'],
  branch: string,
): Promise<void> {
  if (row.sourceProjectId === null) return
  const place = { projectId: row.sourceProjectId, branch: row.sourceBranch }
  const other = (await listOpenFrom(app.db, place)).find((request) => {
    const isSame = request.projectId === row.projectId && request.targetBranch === branch
    return isSame && request.id !== row.id
  })
  if (other === undefined) return
  throw conflict(`Another open merge request already exists for this source branch: !${other.iid}`)
}

/**
 * Gives a request that is locked by the transaction the version that it has towards its new target. @throws
 * DomainError `conflict` where it has got another one meanwhile.
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
