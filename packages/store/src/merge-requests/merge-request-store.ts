import { isWorkInProgress, taskCompletion } from '@stithy/core'
import { nextIid } from '../iids.ts'
import type { Queries, Transaction } from '../queries.ts'
import { type Flag, toFlag } from '../schema/flag.ts'
import { pick } from '../sql.ts'
import { touchStamp } from '../stamps.ts'
import { type MergeRequestRow, mergeRequestColumns } from './merge-request-row.ts'
import { insertVersion, type NewVersion } from './merge-request-version-store.ts'

/** A merge request to be; its first version says what it brings. */
export interface NewMergeRequest {
  /** The target. */
  projectId: number
  targetBranch: string
  sourceProjectId: number
  sourceBranch: string
  authorId: number
  title: string
  description: string | null
  /** In the order that they were named in. */
  assigneeIds: readonly number[]
  squash: Flag
  forceRemoveSourceBranch: Flag
  allowCollaboration: Flag
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
  'taskCount',
  'taskDoneCount',
  'assigneeCount',
  'createdAt',
  'updatedAt',
] as const

/** Writes an open merge request with its number, assignees and version 1. */
export async function insertMergeRequest(
  tx: Transaction,
  request: NewMergeRequest,
): Promise<{ id: number; iid: number }> {
  const { assigneeIds, version, ...values } = request
  const iid = await nextIid(tx, 'mergeRequests', request.projectId)
  const { headSha, baseSha, startSha } = version
  const userIds = [...new Set(assigneeIds)]
  const workInProgress = toFlag(isWorkInProgress(request.title))
  const row = { ...values, iid, workInProgress, headSha, baseSha, startSha }
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
  const place = { mergeRequestId: made.id, projectId: request.projectId }
  const versionId = await insertVersion(tx, place, version, request.createdAt)
  await tx.run('mergeRequests.firstVersion', { id: made.id, versionId }, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({ latestVersionId: $('versionId') })
      .where('id', '=', $('id')),
  )
  await touchStamp(tx, 'mergeRequests')
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

/** A merge request by its number in a project that is there. */
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

/** Closes a merge request; false where it is not open. Milliseconds. */
export async function closeMergeRequest(
  tx: Transaction,
  closing: { id: number; userId: number | null; now: number },
): Promise<boolean> {
  const { changes } = await tx.run('mergeRequests.close', closing, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({
        state: 'closed',
        closedById: $('userId'),
        closedAt: $('now'),
        updatedAt: $('now'),
        mergeWhenPipelineSucceeds: 0,
        mergeUserId: null,
      })
      .where('id', '=', $('id'))
      .where('state', '=', 'opened'),
  )
  if (changes > 0) await touchStamp(tx, 'mergeRequests')
  return changes > 0
}

/** A merge that has happened. */
export interface Merge {
  id: number
  /** The version that was merged. */
  versionId: number
  userId: number | null
  /** Null where the target branch was only moved forward. */
  mergeCommitSha: string | null
  /** Milliseconds. */
  now: number
}

/** Marks a merge request as merged; false where it is not open, or has gone on to another version. */
export async function saveMerge(tx: Transaction, merge: Merge): Promise<boolean> {
  const { changes } = await tx.run('mergeRequests.merge', merge, (db, $) =>
    db
      .updateTable('mergeRequests')
      .set({
        state: 'merged',
        mergedById: $('userId'),
        mergedAt: $('now'),
        mergeCommitSha: $('mergeCommitSha'),
        mergeError: null,
        updatedAt: $('now'),
      })
      .where('id', '=', $('id'))
      .where('latestVersionId', '=', $('versionId'))
      .where('state', '=', 'opened'),
  )
  if (changes > 0) await touchStamp(tx, 'mergeRequests')
  return changes > 0
}
