import { deleteIssues, touchStamp } from '@stithy/store'
import type { App } from '../../app.ts'
import type { IssueItem } from '../../items/item.ts'
import { removeItemLeavings } from '../../items/item-removal.ts'
import { countOpenIssue, openIssueDelta } from '../lists/open-issues.service.ts'
import { lockItem } from './issue-write.ts'

/**
 * Deletes an issue that the caller may delete, with its notes, labels, todos, award emoji, relations and
 * events; hooks are not told (catalogue: issues, 2.1).
 * @throws DomainError `not_found` where it is gone already.
 */
export async function removeIssue(app: App, item: IssueItem): Promise<undefined> {
  const ids = [item.row.id]
  await app.db.transaction(async (tx) => {
    const { row } = await lockItem(tx, item)
    await removeItemLeavings(tx, { type: 'issue', ids })
    await deleteIssues(tx, ids)
    await countOpenIssue(tx, row.projectId, openIssueDelta(row, undefined))
    await touchStamp(tx, 'issues')
  })
  return undefined
}
