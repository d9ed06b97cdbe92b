import { updateIssueRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { decideOn, enforce } from '../../platform/http/authorize.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { withColumns } from '../items/changes/work-item-type.ts'
import type { IssueItem } from '../items/item.ts'
import { sourceOf } from '../system-notes/system-note.service.ts'
import { close } from './issue-states.ts'
import { lockItem, reload } from './issue-type.ts'

/**
 * Marks an issue that the caller may update as a duplicate of another one that they may read:
 * writes a system note on both and closes it. Does nothing if it is a duplicate of that one
 * already.
 * @throws DomainError `forbidden` if the caller may not comment on the other one.
 */
export async function markDuplicate(
  app: App,
  caller: Caller,
  issue: IssueItem,
  original: IssueItem,
): Promise<IssueItem> {
  enforce(decideOn(app, 'issue', 'comment_on_issue', original, caller), caller)
  const now = app.now()
  const by = { userId: requireCaller(caller).id, at: now, now }
  await app.db.transaction(async (tx) => {
    const current = await lockItem(tx, issue)
    if (current.row.duplicatedToId === original.row.id) return
    const columns = { duplicatedToId: original.row.id, updatedAt: now }
    await updateIssueRow(tx, issue.row.id, columns)
    const item = withColumns(current, columns)
    const notes = [{ action: 'duplicate_of', source: sourceOf(original) }] as const
    await recordChange(tx, { kind: 'item.noted', ...by, item, notes })
    const back = [{ action: 'duplicated_by', source: sourceOf(item) }] as const
    await recordChange(tx, { kind: 'item.noted', ...by, item: original, notes: back })
    await close(tx, item, by)
  })
  return reload(app, issue)
}
