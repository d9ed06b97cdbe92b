import { findToken, findTokenOwner } from '@stithy/store'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { hashSecret } from '../authentication/secret.ts'
import type { Session } from '../authentication/session.ts'
import { cookieOptions } from '../authentication/session-cookie.ts'

/** Where people make their personal access tokens, and see a new one. */
export const tokenPagePath = '/-/profile/personal_access_tokens'

/** A token that was just made, in clear. */
export interface NewToken {
  name: string
  token: string
}

// The server keeps only the hash, so what a new token is has to travel to the page that shows it. It
// travels with the browser that it is for: whichever server answers next can show it, and nothing has
// to be kept anywhere else.
const cookie = '_service_new_token'
const lifetimeMs = 60_000

function options(app: App, request: FastifyRequest) {
  return { ...cookieOptions(app, request.protocol), path: tokenPagePath }
}

/** Gives a new token to the next page that the browser asks for. */
export function handOver(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): void {
  reply.setCookie(cookie, token, { ...options(app, request), maxAge: lifetimeMs / 1000 })
}

/** Takes the new token, which is there this once: only a fresh one of the very user who is signed in. */
export async function takeOver(
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
