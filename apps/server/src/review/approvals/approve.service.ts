import { conflict, DomainError, notFound } from '@stithy/core'
import {
  deleteApproval,
  insertApproval,
  lockMergeRequest,
  type MergeRequestRow,
  type Transaction,
} from '@stithy/store'
import { authenticatePassword } from '../../directory/authentication/password-sign-in.ts'
import type { ItemRecord } from '../../planning/items/changes/item.changes.ts'
import type { MergeRequestItem } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { renewMergeRequest } from '../merge-requests/merge-request-renew.service.ts'
import { reload } from '../merge-requests/update/merge-request-type.ts'
import { loadApprovalState, mayApprove } from './approval-state.service.ts'

declare module '../../platform/changes/change.ts' {
  interface Changes {
    'merge_request.approved': ItemRecord<MergeRequestItem>
    'merge_request.unapproved': ItemRecord<MergeRequestItem>
  }
}

/** What the caller of `POST .../approve` sends. */
export interface ApprovalInput {
  /** The head that the caller has reviewed. */
  sha?: string | undefined
  password?: { text: string; signal: AbortSignal } | undefined
}

/**
 * Approves a merge request at its current head; pushes that were not processed yet are processed
 * before, so that they don't remove the new approval.
 * @throws DomainError `conflict` if `sha` is not the head; `unauthorized` if the caller is no
 * eligible approver, has approved already, or the password is wrong.
 */
export async function approve(
  app: App,
  caller: Caller,
  before: MergeRequestItem,
  { sha, password }: ApprovalInput,
): Promise<MergeRequestItem> {
  const user = requireCaller(caller)
  await renewMergeRequest(app, before.row.id)
  const item = await reload(app, before)
  requireHead(item.row, sha)
  if (!mayApprove(item, await loadApprovalState(app, item, user.id), user.id)) {
    throw new DomainError('unauthorized')
  }
  if (password !== undefined) await requirePassword(app, user, password)
  const now = app.now()
  return app.db.transaction(async (tx) => {
    const row = await lockOpen(tx, item)
    requireHead(row, sha ?? item.row.headSha)
    const approval = { mergeRequestId: row.id, userId: user.id, createdAt: now }
    if (!(await insertApproval(tx, approval))) throw new DomainError('unauthorized')
    const approved = { ...item, row }
    const by = { userId: user.id, at: now, now }
    const notes = [{ action: 'approved' } as const]
    await recordChange(tx, { kind: 'merge_request.approved', ...by, item: approved, notes })
    return approved
  })
}

function requireHead({ headSha }: MergeRequestRow, sha: string | undefined): void {
  if (sha !== undefined && sha !== headSha) {
    throw conflict(`SHA does not match HEAD of source branch: ${headSha}`)
  }
}

async function requirePassword(
  app: App,
  { id, username: login }: { id: number; username: string },
  { text: password, signal }: NonNullable<ApprovalInput['password']>,
): Promise<void> {
  // Failures count against the user, whose token may be in the wrong hands.
  const address = `approvals of user ${id}`
  const result = await authenticatePassword(app, { login, password, address, signal })
  if (result.kind !== 'user') throw new DomainError('unauthorized')
}

async function lockOpen(tx: Transaction, { row: { id } }: MergeRequestItem) {
  const row = await lockMergeRequest(tx, id)
  if (row === undefined) throw notFound('Merge Request')
  if (row.state !== 'opened') throw new DomainError('unauthorized')
  return row
}

/**
 * Takes back the caller's approval.
 * @throws DomainError `not_found` if the caller did not approve, or the merge request is merged.
 */
export async function unapprove(
  app: App,
  caller: Caller,
  item: MergeRequestItem,
): Promise<MergeRequestItem> {
  const { id: userId } = requireCaller(caller)
  const now = app.now()
  return app.db.transaction(async (tx) => {
    const row = await lockMergeRequest(tx, item.row.id)
    const approval = { mergeRequestId: item.row.id, userId }
    if (row === undefined || !isUndecided(row) || !(await deleteApproval(tx, approval))) {
      throw notFound('Approval')
    }
    const unapproved = { ...item, row }
    const by = { userId, at: now, now }
    const notes = [{ action: 'unapproved' } as const]
    await recordChange(tx, { kind: 'merge_request.unapproved', ...by, item: unapproved, notes })
    return unapproved
  })
}

/** Whether it may still be merged: the approvals of a merge stay as they were. */
function isUndecided({ state }: MergeRequestRow): boolean {
  return state === 'opened' || state === 'closed'
}
