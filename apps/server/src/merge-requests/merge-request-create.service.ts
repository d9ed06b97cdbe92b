import { validationFailed } from '@stithy/core'
import { findBranch } from '@stithy/git'
import {
  enqueueJob,
  insertMergeRequest,
  type NewMergeRequest,
  type RepositoryRow,
  recordEvent,
  toFlag,
} from '@stithy/store'
import type { App } from '../app.ts'
import { repositoryOf } from '../repositories/repository.service.ts'
import { applyOpening, planOpening } from './merge-request-opening.ts'
import { bringHead, draftVersion, publishHead } from './merge-request-version.service.ts'

export const settleMergeRequestKind = 'merge-request.settle'

/** A merge request that somebody may open; the rules are checked before. */
export interface MergeRequestCreation {
  target: RepositoryRow
  targetBranch: string
  /** The target itself, or a project that shares its history. */
  source: RepositoryRow
  sourceBranch: string
  authorId: number
  title: string
  description?: string | null
  /** The first is the one that old clients see. */
  assigneeIds?: readonly number[]
  squash?: boolean
  forceRemoveSourceBranch?: boolean
  allowCollaboration?: boolean
}

/**
 * Opens a merge request: its number, version 1, the event, what follows from its texts, and its head in the
 * repository of the target (catalogue: merge requests, 2.1).
 * @throws DomainError `validation_failed` where one of the branches does not exist.
 */
export async function createMergeRequest(
  app: App,
  creation: MergeRequestCreation,
): Promise<{ id: number; iid: number }> {
  const { target, source } = creation
  const headSha = await tipOf(app, source, 'source_branch', creation.sourceBranch)
  const startSha = await tipOf(app, target, 'target_branch', creation.targetBranch)
  const ends = { target, source, headSha, startSha }
  await bringHead(app, ends)
  const { version } = await draftVersion(app, ends)
  const now = app.now()
  const row = rowOf(creation, version, now)
  const opening = await planOpening(app, row)
  const made = await app.db.transaction(async (tx) => {
    const { id, iid } = await insertMergeRequest(tx, row)
    if (opening !== undefined) await applyOpening(tx, opening, { id, at: now })
    // For what this process may not live to do, and for pushes that come before the request is seen.
    const job = { queue: 'pushes', kind: settleMergeRequestKind, payload: { id } }
    await enqueueJob(tx, job, now)
    await recordEvent(tx, {
      projectId: target.id,
      authorId: creation.authorId,
      action: 'created',
      target: { type: 'merge_request', id, iid, title: creation.title },
      createdAt: now,
    })
    tx.onCommit(app.wakeWorker)
    return { id, iid }
  })
  await publishHead(app, target, { iid: made.iid, headSha })
  return made
}

async function tipOf(
  app: App,
  place: RepositoryRow,
  field: string,
  branch: string,
): Promise<string> {
  const found = await findBranch(app.git, repositoryOf(app, place), branch)
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
