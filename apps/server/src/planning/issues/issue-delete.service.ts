import { deleteIssues } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { ItemChangeBy } from '../items/changes/work-item-type.ts'
import type { IssueItem } from '../items/item.ts'
import { deleteItem, deleteItemDependents } from '../items/item-removal.ts'
import { lockItem } from './issue-type.ts'

/**
 * Deletes an issue that the user may delete, with its notes, labels, todos, award emoji, links
 * and events; in batches if there are many.
 * @throws DomainError `not_found` if it was deleted already.
 */
export async function removeIssue(
  app: App,
  by: ItemChangeBy,
  issue: IssueItem,
): Promise<undefined> {
  const { id } = issue.row
  await deleteItem(app, { type: 'issue', id, userId: by.userId }, async (tx, limit) => {
    const item = await lockItem(tx, issue)
    const count = await deleteItemDependents(tx, { type: 'issue', ids: [id], limit })
    if (count < limit) {
      await deleteIssues(tx, [id])
      await recordChange(tx, { kind: 'issue.deleted', ...by, item })
    }
    return count
  })
  return undefined
}
