import { findToken, findTokenOwner } from '@stithy/store'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { hashSecret } from '../authentication/secret.ts'
import type { Session } from '../authentication/session.ts'
import { cookieOptions } from '../authentication/session-cookie.ts'

/** Page where users list, create and revoke personal access tokens; shows a new token once. */
export const tokenPagePath = '/-/profile/personal_access_tokens'

/** A token that was just created, in plain text. */
export interface NewToken {
  name: string
  token: string
}

// The server stores only the hash, so the plain token is passed to the page that shows it in a cookie
// of the browser: any server of a cluster can then show it, and no other storage is needed.
const cookie = '_service_new_token'
const lifetimeMs = 60_000

function options(app: App, request: FastifyRequest) {
  return { ...cookieOptions(app, request.protocol), path: tokenPagePath }
}

/** Puts a new token into a cookie for the next page that the browser requests. */
export function setNewTokenCookie(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  reply.setCookie(cookie, token, { ...options(app, request), maxAge: lifetimeMs / 1000 })
}

/** Takes the new token from the cookie, once: only a recent one, of the user who is signed in. */
export async function takeNewTokenCookie(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: Session,
): Promise<NewToken | undefined> {
  const token = request.cookies[cookie]
  if (token === undefined) return undefined
  reply.clearCookie(cookie, options(app, request))
  const owner = await findTokenOwner(app.db, hashSecret(token))
  if (owner?.id !== user.id) return undefined
  const key = { userId: user.id, kind: 'personal', id: owner.tokenId } as const
  const row = await findToken(app.db, key)
  const isFresh = row?.revoked === 0 && row.createdAt > app.now() - lifetimeMs
  return isFresh ? { name: row.name, token } : undefined
}
