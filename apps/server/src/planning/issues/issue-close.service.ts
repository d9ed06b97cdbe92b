import type { SystemNoteSource } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { changeBy } from '../items/changes/change-by.ts'
import type { IssueItem } from '../items/item.ts'
import { close } from './issue-states.ts'
import { lockItem, reload } from './issue-type.ts'

/**
 * Closes an issue that the caller may update; a closed issue stays as it is.
 * @param source the commit or merge request that closes it, if any
 * @throws DomainError `not_found` if it was deleted.
 */
export async function closeIssue(
  app: App,
  caller: Caller,
  item: IssueItem,
  source?: SystemNoteSource,
): Promise<IssueItem> {
  const by = changeBy(app, caller)
  await app.db.transaction(async (tx) => {
    await close(tx, await lockItem(tx, item), by, [{ action: 'closed', source }])
  })
  return reload(app, item)
}
