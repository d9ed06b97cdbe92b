import {
  chooseSubscription,
  listSubscribed,
  type SubscribableType,
  type Transaction,
} from '@stithy/store'
import type { App } from '../app.ts'
import type { Item } from '../items/item.ts'

/**
 * Subscribes a user to a thing, or ends that; false where it was so already, by choice or by taking part in
 * it, which answers 304. @param at milliseconds since the epoch. At most two statements.
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

/** Whether a user is subscribed to an item; to snippets and commits nobody is. At most one query. */
export async function isSubscribed(app: App, item: Item, userId: number | null): Promise<boolean> {
  if (item.type === 'snippet' || item.type === 'commit') return false
  const subscribed = await subscribedTo(app, item.type, [item.row.id], userId)
  return subscribed.has(item.row.id)
}

/** Those of a page of things that a user is subscribed to, by id. At most one query. */
export async function subscribedTo(
  app: App,
  type: SubscribableType,
  ids: readonly number[],
  userId: number | null,
): Promise<Set<number>> {
  if (userId === null || ids.length === 0) return new Set()
  return listSubscribed(app.db, type, { userId, ids })
}
