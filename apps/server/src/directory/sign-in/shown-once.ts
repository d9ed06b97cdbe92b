import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../platform/app.ts'
import type { Session } from '../authentication/session.ts'
import { cookieOptions } from '../authentication/session-cookie.ts'

/** A secret that was just created, in plain text, and the name of what it belongs to. */
export interface ShownOnce {
  name: string
  secret: string
}

// The server stores only the hash of a secret, so the plain text is passed to the page that shows it
// in a cookie of the browser: any server of a cluster can then show it, and no other storage is needed.
const cookie = '_service_shown_once'
const lifetimeMs = 60_000

/** The longest value that is looked at, in characters: browsers keep no longer ones. */
const maxLength = 4096

const Content = z.object({ name: z.string(), secret: z.string(), createdAt: z.number() })

/** The page that shows a secret. */
export interface ShowingPage {
  app: App
  request: FastifyRequest
  reply: FastifyReply
  session: Session
  /** Path of the page, to which alone the browser sends the cookie. */
  path: string
}

function options({ app, request, path }: ShowingPage) {
  return { ...cookieOptions(app, request.protocol), path }
}

/** What is sealed for another user or page opens nothing. */
function purposeOf({ session, path }: ShowingPage): string {
  return `shown once to user ${session.user.id} on ${path}`
}

/** Puts a new secret into a cookie for the next request for the page. */
export function setShownOnce(page: ShowingPage, { name, secret }: ShownOnce): void {
  const content: z.input<typeof Content> = { name, secret, createdAt: page.app.now() }
  const sealed = page.app.secrets.seal(JSON.stringify(content), purposeOf(page))
  page.reply.setCookie(cookie, sealed, { ...options(page), maxAge: lifetimeMs / 1000 })
}

/** Takes a new secret from the cookie, once: only a recent one, of the user who is signed in. */
export function takeShownOnce(page: ShowingPage): ShownOnce | undefined {
  const { app, request, reply } = page
  const sealed = request.cookies[cookie]
  if (sealed === undefined) return undefined
  reply.clearCookie(cookie, options(page))
  const text = sealed.length > maxLength ? undefined : app.secrets.open(sealed, purposeOf(page))
  if (text === undefined) return undefined
  const { name, secret, createdAt } = Content.parse(JSON.parse(text))
  return createdAt > app.now() - lifetimeMs ? { name, secret } : undefined
}
