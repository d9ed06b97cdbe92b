import { validationFailed } from '@stithy/core'
import { findBranch } from '@stithy/git'
import {
  findMergeRequestById,
  insertMergeRequest,
  type NewMergeRequest,
  type RepositoryRow,
  setClosings,
  toFlag,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { planOpening } from './merge-request-opening.ts'
import { draftVersion, fetchHead, publishHead } from './merge-request-version.service.ts'

/** A merge request that the caller may create; the rules are checked before. */
export interface MergeRequestCreation {
  target: RepositoryRow
  targetBranch: string
  /** The target project, or a fork or source of it. */
  source: RepositoryRow
  sourceBranch: string
  authorId: number
  title: string
  description?: string | null
  /** Assignees in order; old clients see the first. */
  assigneeIds?: readonly number[]
  squash?: boolean
  forceRemoveSourceBranch?: boolean
  allowCollaboration?: boolean
}

/**
 * Creates a merge request with its first version, and its head in the target repository.
 * @throws DomainError `validation_failed` if one of the branches does not exist; `not_found` if the
 * target project was deleted.
 */
export async function createMergeRequest(
  app: App,
  creation: MergeRequestCreation,
): Promise<{ id: number; iid: number }> {
  const { target, source } = creation
  const headSha = await tipOf(app, source, 'source_branch', creation.sourceBranch)
  const startSha = await tipOf(app, target, 'target_branch', creation.targetBranch)
  const ends = { target, source, headSha, startSha }
  await fetchHead(app, ends)
  const { version } = await draftVersion(app, ends)
  const now = app.now()
  const row = rowOf(creation, version, now)
  const opening = await planOpening(app, row)
  const made = await app.db.transaction(async (tx) => {
    const { id, iid } = await insertMergeRequest(tx, row)
    const inserted = await findMergeRequestById(tx, id)
    if (inserted === undefined) throw new TypeError('an inserted row is missing')
    const item = { type: 'merge_request', ...opening.item, row: inserted } as const
    const by = { userId: creation.authorId, at: now, now }
    const { texts } = opening
    await recordChange(tx, { kind: 'merge_request.created', ...by, item, texts, notes: [] })
    await setClosings(tx, { id, issueIds: opening.closings })
    return { id, iid }
  })
  await publishHead(app, target, { iid: made.iid, headSha })
  return made
}

async function tipOf(
  app: App,
  project: RepositoryRow,
  field: string,
  branch: string,
): Promise<string> {
  const found = await findBranch(app.git, repositoryOf(app, project), branch)
  if (found === undefined) throw validationFailed({ [field]: ['does not exist'] })
  return found.oid
}

function rowOf(
  creation: MergeRequestCreation,
  version: NewMergeRequest['version'],
  createdAt: number,
): NewMergeRequest {
  const { target, targetBranch, source, sourceBranch, authorId, title } = creation
  return {
    projectId: target.id,
    targetBranch,
    sourceProjectId: source.id,
    sourceBranch,
    authorId,
    title,
    description: creation.description ?? null,
    assigneeIds: creation.assigneeIds ?? [],
    squash: toFlag(creation.squash ?? false),
    forceRemoveSourceBranch: toFlag(creation.forceRemoveSourceBranch ?? false),
    allowCollaboration: toFlag(creation.allowCollaboration ?? false),
    version,
    createdAt,
  }
}
