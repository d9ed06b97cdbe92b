import { DomainError } from '@stithy/core'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { setSubscription } from '../subscriptions/subscription.service.ts'
import type { WorkItem } from './item.ts'

/**
 * Subscribes the caller to an issue or merge request that they may read, or unsubscribes them.
 * @throws DomainError `not_modified` if nothing changes.
 */
export async function setItemSubscription(
  app: App,
  caller: Caller,
  { type, row: { id } }: WorkItem,
  subscribed: boolean,
): Promise<void> {
  const { id: userId } = requireCaller(caller)
  const changed = await app.db.transaction((tx) =>
    setSubscription(tx, { type, id }, userId, subscribed, app.now()),
  )
  if (!changed) throw new DomainError('not_modified')
}
