import { milestoneSystemNote, validationFailed } from '@stithy/core'
import { findBranch } from '@stithy/git'
import {
  findMergeRequestById,
  insertMergeRequest,
  type MergeRequestRow,
  type NewMergeRequest,
  type RepositoryRow,
  type Row,
  setClosings,
  type Transaction,
  toFlag,
} from '@stithy/store'
import { labelTarget } from '../../planning/items/changes/item-labels.ts'
import { applyLabels, type LabelPlan } from '../../planning/labels/labelling.service.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { type Opening, planOpening } from './merge-request-opening.ts'
import { draftVersion, fetchHead, publishHead } from './merge-request-version.service.ts'
import { asOnlyOpen, requireOnlyOpen } from './open/only-open.service.ts'

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
  discussionLocked?: boolean | undefined
  milestone?: Row<'milestones'> | null
  labels?: LabelPlan | undefined
  /** How many approvals it needs, if more than its project asks for. */
  approvalsBeforeMerge?: number | undefined
}

/**
 * Creates a merge request with its first version, and its head in the target repository.
 * `app/effects/` lists what follows.
 * @throws DomainError `validation_failed` if one of the branches does not exist; `not_found` if the
 * target project was deleted; `conflict` if one between the branches is open.
 */
export async function createMergeRequest(
  app: App,
  creation: MergeRequestCreation,
): Promise<{ id: number; iid: number }> {
  const { target, source } = creation
  const ids = { sourceProjectId: source.id, projectId: target.id }
  await requireOnlyOpen(app, { ...creation, ...ids })
  const headSha = await tipOf(app, source, 'source_branch', creation.sourceBranch)
  const startSha = await tipOf(app, target, 'target_branch', creation.targetBranch)
  const ends = { target, source, headSha, startSha }
  await fetchHead(app, ends)
  const { version } = await draftVersion(app, ends)
  const row = rowOf(creation, version, app.now())
  const opening = await planOpening(app, row)
  const made = await asOnlyOpen(app, row, () => insert(app, creation, row, opening))
  await publishHead(app, target, { iid: made.iid, headSha })
  return made
}

async function insert(
  app: App,
  creation: MergeRequestCreation,
  row: NewMergeRequest,
  opening: Opening,
): Promise<{ id: number; iid: number }> {
  const { createdAt: now } = row
  return app.db.transaction(async (tx) => {
    const { id, iid } = await insertMergeRequest(tx, row)
    const inserted = await requireRow(tx, id)
    const item = { type: 'merge_request', ...opening.item, row: inserted } as const
    const by = { userId: creation.authorId, at: now, now }
    if (creation.labels !== undefined) {
      await applyLabels(tx, labelTarget(item), creation.labels, { mode: 'add', ...by })
      inserted.labelCount = (await requireRow(tx, id)).labelCount
    }
    const { texts } = opening
    const { milestone = null } = creation
    const notes = milestone === null ? [] : [milestoneSystemNote(milestone)]
    await recordChange(tx, { kind: 'merge_request.created', ...by, item, texts, notes })
    await setClosings(tx, { id, issueIds: opening.closings })
    return { id, iid }
  })
}

async function requireRow(tx: Transaction, id: number): Promise<MergeRequestRow> {
  const row = await findMergeRequestById(tx, id)
  if (row === undefined) throw new TypeError('an inserted row is missing')
  return row
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
    discussionLocked: creation.discussionLocked ? 1 : null,
    milestoneId: creation.milestone?.id ?? null,
    approvalsBeforeMerge: creation.approvalsBeforeMerge ?? null,
    version,
    createdAt,
  }
}
