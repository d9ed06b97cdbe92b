import type { App } from '../../platform/app.ts'
import { webUrl } from '../../platform/http/urls.ts'

const purpose = 'unsubscribe'

/** No token of ours is longer, in characters. */
const maxTokenLength = 200

const types = ['issue', 'merge_request', 'epic'] as const

/** A user, and what they can unsubscribe from. */
export interface UnsubscribeTarget {
  userId: number
  type: (typeof types)[number]
  id: number
}

/** Path of the page; `:token` names the user and the item. */
export const unsubscribePath = '/-/sent_notifications/:token/unsubscribe'

/** A link that unsubscribes without signing in; it never expires. */
export function unsubscribeUrl(
  { config, secrets }: App,
  { userId, type, id }: UnsubscribeTarget,
): string {
  const token = secrets.seal(`${userId}:${type}:${id}`, purpose)
  return webUrl(config, unsubscribePath.slice(1).replace(':token', token))
}

/** What the token of a link is for; undefined unless this instance made it. */
export function readUnsubscribeToken(
  { secrets }: App,
  token: string,
): UnsubscribeTarget | undefined {
  if (token.length > maxTokenLength) return undefined
  const [userId, name, id] = secrets.open(token, purpose)?.split(':') ?? []
  const type = types.find((known) => known === name)
  return type && { userId: Number(userId), type, id: Number(id) }
}
