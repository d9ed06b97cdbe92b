import type { SystemNote } from '@stithy/core'
import type { IssueRow, MergeRequestRow, TrackedTime, Transaction } from '@stithy/store'
import { recordChange } from '../../../platform/changes/record-change.ts'
import type { WorkItem } from '../item.ts'
import { type ItemChangeBy, withColumns } from './work-item-type.ts'

/** Columns of an item that change outside of its settings: tracked time, or a deleted milestone. */
interface ColumnUpdate {
  item: WorkItem
  previous: Partial<Pick<IssueRow & MergeRequestRow, 'milestoneId' | keyof TrackedTime>>
  notes: readonly SystemNote[]
}

/** Records an update of an item that has its new columns already. */
export async function recordColumnUpdate(
  tx: Transaction,
  { item, previous, notes }: ColumnUpdate,
  by: ItemChangeBy,
): Promise<void> {
  const unchanged = {
    assigned: undefined,
    previousLabelIds: undefined,
    texts: undefined,
    finishesTodos: false,
  }
  const update = { ...by, ...unchanged, notes }
  if (item.type === 'issue') {
    const before = withColumns(item, previous)
    await recordChange(tx, { kind: 'issue.updated', ...update, before, item })
  } else {
    const before = withColumns(item, previous)
    await recordChange(tx, { kind: 'merge_request.updated', ...update, before, item })
  }
}
