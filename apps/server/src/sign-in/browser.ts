import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { sameSecret } from '../authentication/secret.ts'
import { endSession, findSession, type Session } from '../authentication/session.ts'
import { cookieOptions, sessionCookie } from '../authentication/session-cookie.ts'
import { formText } from './form.ts'
import { html } from './html.ts'
import { sendPage } from './page.ts'
import { withReturn } from './return-path.ts'

/** Who is signed in with this browser. */
export async function currentSession(
  app: App,
  request: FastifyRequest,
): Promise<Session | undefined> {
  const cookie = request.cookies[sessionCookie]
  return cookie === undefined ? undefined : findSession(app, cookie)
}

/** Forgets the session that the browser holds, if any. */
export async function dropSession(app: App, request: FastifyRequest): Promise<void> {
  const cookie = request.cookies[sessionCookie]
  if (cookie !== undefined) await endSession(app, cookie)
}

/** Lets the browser hold a session. */
export function setSessionCookie(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { cookie, remember }: { cookie: string; remember: boolean },
): void {
  reply.setCookie(sessionCookie, cookie, cookieOptions(app, request.protocol, remember))
}

type SignedInPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
) => Promise<FastifyReply>

interface SignedInOptions {
  /** True for the one page that people see who have to change their password first. */
  beforePasswordChange?: boolean
}

/**
 * A page for signed-in people: others are sent to sign in and come back afterwards, and a form that did
 * not come from one of our pages is refused.
 */
export function signedIn(app: App, page: SignedInPage, options: SignedInOptions = {}) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const session = await currentSession(app, request)
    // The address of a form may be none of a page.
    const wanted = request.method === 'POST' ? '/' : request.url
    if (session === undefined) return reply.redirect(withReturn('/users/sign_in', wanted), 302)
    if (session.user.mustChangePassword && !options.beforePasswordChange) {
      return reply.redirect(withReturn('/-/profile/password/new', wanted), 302)
    }
    if (request.method === 'POST') {
      const token = formText(request.body, 'authenticity_token')
      if (!sameSecret(token, session.csrfToken)) return refuseForm(reply, session)
    }
    return page(request, reply, session)
  }
}

/** Answers a form without the token of its page. */
export function refuseForm(reply: FastifyReply, session?: Session): FastifyReply {
  return sendPage(reply, {
    status: 422,
    title: 'This form has expired',
    session,
    body: html`<section><p>Nothing was changed. <a href="/">Go back to the start</a> and try again.</p></section>`,
  })
}
