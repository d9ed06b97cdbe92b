import { DomainError } from '@stithy/core'
import type { App } from '../../../platform/app.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { requireCaller } from '../../../platform/http/require-caller.ts'
import type { IssueItem } from '../../items/item.ts'
import { setSubscription } from '../../subscriptions/subscription.service.ts'

/**
 * Subscribes the caller to an issue that they may read, or unsubscribes them.
 * @throws DomainError `not_modified` if nothing changes.
 */
export async function setIssueSubscription(
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
