import { deleteIssues, deleteItemDependents } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { changeBy } from '../items/changes/change-by.ts'
import type { IssueItem } from '../items/item.ts'
import { lockItem } from './issue-type.ts'

/**
 * Deletes an issue that the caller may delete, with its notes, labels, todos, award emoji, links
 * and events.
 * @throws DomainError `not_found` if it was deleted already.
 */
export async function removeIssue(app: App, caller: Caller, issue: IssueItem): Promise<undefined> {
  const ids = [issue.row.id]
  const by = changeBy(app, caller)
  await app.db.transaction(async (tx) => {
    const item = await lockItem(tx, issue)
    await deleteItemDependents(tx, { type: 'issue', ids })
    await deleteIssues(tx, ids)
    await recordChange(tx, { kind: 'issue.deleted', ...by, item })
  })
  return undefined
}
