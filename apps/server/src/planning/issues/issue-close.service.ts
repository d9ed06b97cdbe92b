import type { SystemNoteSource } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
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
  const now = app.now()
  const by = { userId: requireCaller(caller).id, at: now, now }
  await app.db.transaction(async (tx) => {
    await close(tx, await lockItem(tx, item), by, [{ action: 'closed', source }])
  })
  return reload(app, item)
}
