import { isWorkInProgress, taskCompletion } from '@stithy/core'
import {
  type MergeRequestRow,
  mergeRequestColumns,
} from '../../planning/items/merge-request-row.ts'
import { nextIid } from '../../platform/queries/iids.ts'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { pick } from '../../platform/queries/sql.ts'
import { stampOf, touchStamp } from '../../platform/queries/stamps.ts'
import { type Flag, toFlag } from '../../platform/schema/flag.ts'
import { clearedAutoMerge } from './merge-request-status.ts'
import { insertVersion, type NewVersion } from './merge-request-version-store.ts'

/** A merge request to create, with its first version. */
export interface NewMergeRequest {
  /** The target project. */
  projectId: number
  targetBranch: string
  sourceProjectId: number
  sourceBranch: string
  authorId: number
  title: string
  description: string | null
  /** In the order of assignment. */
  assigneeIds: readonly number[]
  squash: Flag
  forceRemoveSourceBranch: Flag
  allowCollaboration: Flag
  discussionLocked: Flag | null
  milestoneId: number | null
  /** How many approvals it needs, if more than its project asks for; null by default. */
  approvalsBeforeMerge?: number | null
  version: NewVersion
  /** Milliseconds since the epoch. */
  createdAt: number
}

const inserted = [
  'projectId',
  'iid',
  'targetBranch',
  'sourceProjectId',
  'sourceBranch',
  'authorId',
  'title',
  'description',
  'workInProgress',
  'headSha',
  'baseSha',
  'startSha',
  'squash',
  'forceRemoveSourceBranch',
  'allowCollaboration',
  'discussionLocked',
  'milestoneId',
  'approvalsBeforeMerge',
  'taskCount',
  'taskDoneCount',
  'assigneeCount',
  'createdAt',
  'updatedAt',
] as const

/** Inserts an open merge request with its iid, assignees and version 1. */
export async function insertMergeRequest(
  tx: Transaction,
  request: NewMergeRequest,
): Promise<{ id: number; iid: number }> {
  const { assigneeIds, version, approvalsBeforeMerge = null, ...values } = request
  const iid = await nextIid(tx, 'mergeRequests', request.projectId)
  const { headSha, baseSha, startSha } = version
  const userIds = [...new Set(assigneeIds)]
  const workInProgress = toFlag(isWorkInProgress(request.title))
  const row = { ...values, approvalsBeforeMerge, iid, workInProgress, headSha, baseSha, startSha }
  const { count: taskCount, completed_count: taskDoneCount } = taskCompletion(
    request.description ?? '',
  )
  const counts = { taskCount, taskDoneCount, assigneeCount: userIds.length }
  const args = { ...row, ...counts, updatedAt: request.createdAt }
  const made = await tx.first('mergeRequests.insert', args, (db, $) =>
    db.insertInto('mergeRequests').values(pick($, inserted)).returning('mergeRequests.id'),
  )
  if (made === undefined) throw new Error('The database gave no id')
  await insertAssignees(tx, { id: made.id, createdAt: request.createdAt }, userIds)
  const mergeRequest = { mergeRequestId: made.id, projectId: request.projectId }
  const versionId = await insertVersion(tx, mergeRequest, version, request.createdAt)
  await tx.run('mergeRequests.firstVersion', { id: made.id, versionId }, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ latestVersionId: $('versionId') })
      .where('id', '=', $('id')),
  )
  touchStamp(tx, stampOf('mergeRequests', request.projectId))
  return { id: made.id, iid }
}

async function insertAssignees(
  tx: Transaction,
  { id: mergeRequestId, createdAt }: { id: number; createdAt: number },
  userIds: readonly number[],
): Promise<void> {
  for (const [position, userId] of userIds.entries()) {
    const row = { mergeRequestId, userId, position, createdAt }
    await tx.run('mergeRequests.assign', row, (db, $) =>
      db
        .insertInto('mergeRequestAssignees')
        .values(pick($, ['mergeRequestId', 'userId', 'position', 'createdAt'])),
    )
  }
}

/** Replaces the assignees of a merge request, which is locked. */
export async function setMergeRequestAssignees(
  tx: Transaction,
  request: { id: number; createdAt: number },
  userIds: readonly number[],
): Promise<void> {
  await tx.run('mergeRequests.unassign', { id: request.id }, (db, $) =>
    db.deleteFrom('mergeRequestAssignees').where('mergeRequestId', '=', $('id')),
  )
  await insertAssignees(tx, request, userIds)
}

/** A merge request by its iid in an existing project. */
export function findMergeRequest(
  q: Queries,
  key: { projectId: number; iid: number },
): Promise<MergeRequestRow | undefined> {
  return q.first('mergeRequests.find', key, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
      .where('mergeRequests.projectId', '=', $('projectId'))
      .where('mergeRequests.iid', '=', $('iid'))
      .where('projects.deletedAt', 'is', null)
      .select(mergeRequestColumns),
  )
}

/** A merge request by its id. */
export function findMergeRequestById(q: Queries, id: number): Promise<MergeRequestRow | undefined> {
  return q.first('mergeRequests.find.id', { id }, (db, $) =>
    db
      .selectFrom('mergeRequests')
      .innerJoin('projects', 'projects.id', 'mergeRequests.projectId')
      .where('mergeRequests.id', '=', $('id'))
      .where('projects.deletedAt', 'is', null)
      .select(mergeRequestColumns),
  )
}

/** Closes a merge request; false if it is not open. Timestamps in milliseconds. */
export async function closeMergeRequest(
  tx: Transaction,
  closing: { id: number; userId: number | null; now: number },
): Promise<boolean> {
  const closed = await tx.first('mergeRequests.close', closing, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({
        state: 'closed',
        closedById: $('userId'),
        closedAt: $('now'),
        updatedAt: $('now'),
        ...clearedAutoMerge,
      })
      .where('id', '=', $('id'))
      .where('state', '=', 'opened')
      .returning('projectId'),
  )
  return touched(tx, closed)
}

/** Touches the lists of the changed merge request; false if there is none. */
function touched(tx: Transaction, changed: { projectId: number } | undefined): boolean {
  if (changed === undefined) return false
  touchStamp(tx, stampOf('mergeRequests', changed.projectId))
  return true
}

/** A merge to record. */
export interface Merge {
  id: number
  /**
   * The version that a push merged; undefined for a merge request that was accepted, whose branches
   * may have moved since.
   */
  versionId?: number | undefined
  userId: number | null
  /** Null for a fast-forward merge. */
  mergeCommitSha: string | null
  /** Milliseconds. */
  now: number
}

/**
 * Marks a merge request as merged; false if it is not open, or locked if it was accepted, or has
 * another version.
 */
export async function saveMerge(tx: Transaction, { versionId, ...merge }: Merge): Promise<boolean> {
  const isAccepted = versionId === undefined
  const shape = `mergeRequests.merge|${isAccepted ? 'accepted' : 'pushed'}`
  const merged = await tx.first(shape, { ...merge, versionId: versionId ?? 0 }, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({
        state: 'merged',
        mergedById: $('userId'),
        mergedAt: $('now'),
        mergeCommitSha: $('mergeCommitSha'),
        mergeError: null,
        mergeParams: null,
        pendingMerge: null,
        updatedAt: $('now'),
      })
      .where('id', '=', $('id'))
      .$if(isAccepted, (query) => query.where('state', 'in', ['opened', 'locked']))
      .$if(!isAccepted, (query) =>
        query.where('latestVersionId', '=', $('versionId')).where('state', '=', 'opened'),
      )
      .returning('projectId'),
  )
  return touched(tx, merged)
}
