import type { SystemNote } from '@stithy/core'
import { findBranch } from '@stithy/git'
import {
  closeMergeRequest,
  deleteClosings,
  findRepository,
  type Transaction,
  updateMergeRequestRow,
} from '@stithy/store'
import { areInSameForkNetwork } from '../../../directory/forks/fork-network.service.ts'
import type { ItemChange, StateEvent } from '../../../planning/items/changes/item-change.ts'
import { type ItemChangeBy, withColumns } from '../../../planning/items/changes/work-item-type.ts'
import type { MergeRequestItem } from '../../../planning/items/item.ts'
import type { App } from '../../../platform/app.ts'
import { recordChange } from '../../../platform/changes/record-change.ts'
import { repositoryOf } from '../../../platform/repositories/repository-location.ts'
import { autoMergeAborted } from '../auto-merge-abort.ts'
import { requireOnlyOpen } from '../open/only-open.service.ts'

/**
 * The state event, if it can have an effect: a closed merge request can be reopened while its
 * source branch exists, and its source is a fork of the target.
 * @throws DomainError `conflict` if another open merge request has the same source and target.
 */
export async function possibleEvent(
  app: App,
  { row, project }: MergeRequestItem,
  { stateEvent, targetBranch }: ItemChange,
): Promise<StateEvent | undefined> {
  if (stateEvent === 'close') return row.state === 'opened' ? 'close' : undefined
  if (stateEvent !== 'reopen' || row.state !== 'closed' || row.discussionLocked === 1) {
    return undefined
  }
  const source = row.sourceProjectId && (await findRepository(app.db, row.sourceProjectId))
  if (!source) return undefined
  if (!(await areInSameForkNetwork(app, { row: source }, project))) return undefined
  const branch = await findBranch(app.git, repositoryOf(app, source), row.sourceBranch)
  if (branch === undefined) return undefined
  await requireOnlyOpen(app, { ...row, targetBranch: targetBranch ?? row.targetBranch })
  return 'reopen'
}

/** Closes a merge request in a transaction; undefined if it is not open. */
export async function close(
  tx: Transaction,
  item: MergeRequestItem,
  by: ItemChangeBy,
  notes: readonly SystemNote[] = [{ action: 'closed' }],
): Promise<MergeRequestItem | undefined> {
  const { id, state } = item.row
  const { userId, now } = by
  if (state !== 'opened' || !(await closeMergeRequest(tx, { id, userId, now }))) return undefined
  await deleteClosings(tx, [id])
  const columns = { state: 'closed', closedById: userId, closedAt: now, updatedAt: now } as const
  const closed = withColumns(item, columns)
  const all = [...notes, ...autoMergeAborted(item.row, 'closed')]
  const change = { ...by, before: item, item: closed, notes: all }
  await recordChange(tx, { kind: 'merge_request.closed', ...change })
  return closed
}

/** Reopens a merge request that the transaction has locked; undefined if it is not closed. */
export async function reopen(
  tx: Transaction,
  item: MergeRequestItem,
  by: ItemChangeBy,
): Promise<MergeRequestItem | undefined> {
  if (item.row.state !== 'closed') return undefined
  const columns = {
    ...({ state: 'opened', closedById: null, closedAt: null, updatedAt: by.now } as const),
    mergeStatus: 'unchecked',
  } as const
  await updateMergeRequestRow(tx, item.row.id, columns)
  const opened = withColumns(item, columns)
  const change = { ...by, before: item, item: opened, notes: [{ action: 'reopened' }] } as const
  await recordChange(tx, { kind: 'merge_request.reopened', ...change })
  return opened
}
