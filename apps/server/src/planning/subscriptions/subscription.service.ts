import {
  chooseSubscription,
  listSubscribed,
  type SubscribableType,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'

/**
 * Subscribes a user to an item or label, or unsubscribes them. Returns false, which callers answer
 * with 304, if nothing changes: the user chose so before or, for subscribing, participates in the
 * item. At most two statements.
 * @param at milliseconds since the epoch
 */
export async function setSubscription(
  tx: Transaction,
  target: { type: SubscribableType; id: number },
  userId: number,
  subscribed: boolean,
  at: number,
): Promise<boolean> {
  const before = await listSubscribed(tx, target.type, { userId, ids: [target.id] })
  if (before.has(target.id) === subscribed) return false
  const choice = { targetType: target.type, targetId: target.id, userId, at }
  return chooseSubscription(tx, choice, subscribed)
}

/** The ids, of those given, that a user is subscribed to. At most one query. */
export async function subscribedTo(
  app: App,
  type: SubscribableType,
  ids: readonly number[],
  userId: number | null,
): Promise<Set<number>> {
  if (userId === null || ids.length === 0) return new Set()
  return listSubscribed(app.db, type, { userId, ids })
}
