import { DomainError } from '@stithy/core'
import type { App } from '../../app.ts'
import type { Caller } from '../../http/call.ts'
import type { IssueItem } from '../../items/item.ts'
import { requireCaller } from '../../projects/require-caller.ts'
import { setSubscription } from '../../subscriptions/subscription.service.ts'

/**
 * Subscribes the caller to an issue that they may read, or ends that (catalogue: issues, 2.3).
 * @throws DomainError `not_modified` where it was so already.
 */
export async function chooseIssueSubscription(
  app: App,
  caller: Caller,
  { row }: IssueItem,
  subscribed: boolean,
): Promise<void> {
  const { id: userId } = requireCaller(caller)
  const target = { type: 'issue', id: row.id } as const
  const changed = await app.db.transaction((tx) =>
    setSubscription(tx, target, userId, subscribed, app.now()),
  )
  if (!changed) throw new DomainError('not_modified')
}
