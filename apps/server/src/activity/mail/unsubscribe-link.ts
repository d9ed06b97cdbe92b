import type { App } from '../../platform/app.ts'
import { webUrl } from '../../platform/http/urls.ts'
import { readToken, signToken } from '../../platform/mail/signed-token.ts'

const purpose = 'unsubscribe'

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
export async function unsubscribeUrl(
  { config, db }: App,
  { userId, type, id }: UnsubscribeTarget,
): Promise<string> {
  const token = await signToken(db, purpose, `${userId}:${type}:${id}`)
  return webUrl(config, unsubscribePath.slice(1).replace(':token', token))
}

/** What the token of a link is for; undefined unless this instance made it. */
export async function readUnsubscribeToken(
  { db }: App,
  token: string,
): Promise<UnsubscribeTarget | undefined> {
  const text = await readToken(db, purpose, token)
  const [userId, name, id] = text?.split(':') ?? []
  const type = types.find((known) => known === name)
  return type && { userId: Number(userId), type, id: Number(id) }
}
