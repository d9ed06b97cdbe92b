import { closedRemark, reopenedRemark } from '@stithy/core'
import { findBranch } from '@stithy/git'
import {
  closeMergeRequest,
  dropClosings,
  findRepository,
  recordEvent,
  type Transaction,
  updateMergeRequestRow,
} from '@stithy/store'
import type { App } from '../../app.ts'
import type { MergeRequestItem } from '../../items/item.ts'
import { repositoryOf } from '../../repositories/repository.service.ts'
import { tellOfDeed } from '../merge-request-remarks.ts'
import type { MergeRequestChange } from './request-change-plan.ts'
import { requireOnly } from './retarget.service.ts'

/** Who changes a merge request, and when; milliseconds. */
export interface RequestChangeBy {
  userId: number
  now: number
}

/**
 * The state event, where it can have an effect: a closed request is reopened while its source branch is there.
 * @throws DomainError `conflict` where another open request has the same source and target.
 */
export async function possibleEvent(
  app: App,
  { row }: MergeRequestItem,
  { stateEvent, targetBranch }: MergeRequestChange,
): Promise<'close' | 'reopen' | undefined> {
  if (stateEvent === 'close') return row.state === 'opened' ? 'close' : undefined
  if (stateEvent !== 'reopen' || row.state !== 'closed' || row.discussionLocked === 1) {
    return undefined
  }
  const source = row.sourceProjectId && (await findRepository(app.db, row.sourceProjectId))
  if (!source) return undefined
  const branch = await findBranch(app.git, repositoryOf(app, source), row.sourceBranch)
  if (branch === undefined) return undefined
  await requireOnly(app, row, targetBranch ?? row.targetBranch)
  return 'reopen'
}

/**
 * Closes or reopens a request that is locked by the transaction, with its remark, todos and event (catalogue:
 * merge requests, 3); answers what it is then, undefined where it was so already.
 */
export async function applyStateEvent(
  tx: Transaction,
  item: MergeRequestItem,
  event: 'close' | 'reopen' | undefined,
  by: RequestChangeBy,
): Promise<MergeRequestItem | undefined> {
  if (event === 'close' && item.row.state === 'opened') return close(tx, item, by)
  if (event === 'reopen' && item.row.state === 'closed') return reopen(tx, item, by)
  return undefined
}

async function close(
  tx: Transaction,
  item: MergeRequestItem,
  { userId, now }: RequestChangeBy,
): Promise<MergeRequestItem> {
  const { id } = item.row
  await closeMergeRequest(tx, { id, userId, now })
  await dropClosings(tx, [id])
  await tellOfDeed(tx, item, { authorId: userId, bodies: [closedRemark()], at: now })
  const state = { state: 'closed', closedById: userId, closedAt: now, updatedAt: now } as const
  return { ...item, row: { ...item.row, ...state } }
}

async function reopen(
  tx: Transaction,
  item: MergeRequestItem,
  { userId, now }: RequestChangeBy,
): Promise<MergeRequestItem> {
  const state = { state: 'opened', closedById: null, closedAt: null, updatedAt: now } as const
  const columns = { ...state, mergeStatus: 'unchecked' } as const
  await updateMergeRequestRow(tx, item.row.id, columns)
  await tellOfDeed(tx, item, { authorId: userId, bodies: [reopenedRemark], at: now })
  return { ...item, row: { ...item.row, ...columns } }
}

/** Records what activity tells of a new state; at the end of its transaction. */
export async function recordStateEvent(
  tx: Transaction,
  { row }: MergeRequestItem,
  { userId, now }: RequestChangeBy,
): Promise<void> {
  const { id, iid, title, projectId } = row
  await recordEvent(tx, {
    projectId,
    authorId: userId,
    action: row.state === 'closed' ? 'closed' : 'reopened',
    target: { type: 'merge_request', id, iid, title },
    createdAt: now,
  })
}
