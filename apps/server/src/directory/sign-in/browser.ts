import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { AnonymousGuard } from '../../platform/http/anonymous-guard.ts'
import { admitUser } from '../../platform/http/user-limits.ts'
import { isCsrfToken } from '../authentication/csrf-token.ts'
import { endSession, findSession, type Session } from '../authentication/session.ts'
import { cookieOptions, sessionCookie } from '../authentication/session-cookie.ts'
import { termsPagePath } from '../authentication/terms.ts'
import { twoFactorPagePath } from '../authentication/two-factor-requirement.ts'
import { formFields, formText } from './form.ts'
import { refuseForm } from './refused-form.ts'
import { withReturn } from './return-path.ts'

/** Path of the page to change one's password. */
export const passwordPagePath = '/-/profile/password/new'

const sessions = new WeakMap<FastifyRequest, Session>()

/**
 * Finds the session of every request; those without one count against the anonymous rate limit.
 * Register it after the parser of cookies.
 */
export function findSessions(scope: FastifyInstance, app: App, guard: AnonymousGuard): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, identifiesCaller: true }
  })
  scope.addHook('onRequest', async (request, reply) => {
    // The API, also where it has no endpoint, identifies its callers by itself.
    if (request.url.startsWith('/api/')) return
    const cookie = request.cookies[sessionCookie]
    const session = cookie === undefined ? undefined : await findSession(app, cookie)
    if (session === undefined) return guard(request, reply)
    admitUser(app, request, session.user.id)
    sessions.set(request, session)
  })
}

/** The session of this browser, if it is signed in. */
export function currentSession(request: FastifyRequest): Session | undefined {
  return sessions.get(request)
}

/** Deletes the session of this browser, if any. */
export async function dropSession(app: App, request: FastifyRequest): Promise<void> {
  const cookie = request.cookies[sessionCookie]
  if (cookie !== undefined) await endSession(app, cookie)
}

/** Sets the session cookie. */
export function setSessionCookie(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { cookie, remember }: { cookie: string; remember: boolean },
): void {
  reply.setCookie(sessionCookie, cookie, cookieOptions(app, request.protocol, remember))
}

export type SignedInPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
) => Promise<FastifyReply>

interface SignedInOptions {
  /** True for the page on which users change a password that an administrator has set. */
  beforePasswordChange?: boolean
  /** True for the page on which users set up the two-factor authentication that is required. */
  beforeTwoFactor?: boolean
  /** True for the page on which users accept the terms of service. */
  beforeTerms?: boolean
}

/**
 * Wraps a page for signed-in users: others are redirected to sign in and return afterwards, and a
 * form without a valid token is rejected.
 */
export function withSession(page: SignedInPage, options: SignedInOptions = {}) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const session = currentSession(request)
    // A form may be submitted to a URL that has no page to return to.
    const target = request.method === 'POST' ? '/' : request.url
    if (session === undefined) return reply.redirect(withReturn('/users/sign_in', target), 302)
    const step = stepBefore(session, options)
    if (step !== undefined) return reply.redirect(withReturn(step, target), 302)
    if (request.method === 'POST') {
      const token = formText(request.body, 'authenticity_token')
      if (!isCsrfToken(token, session.csrfToken)) {
        return refuseForm(request, reply, { session, fields: formFields(request.body) })
      }
    }
    return page(request, reply, session)
  }
}

/** The page that the user must visit before this one: a new password comes first, then the terms. */
export function stepBefore(session: Session, options: SignedInOptions = {}): string | undefined {
  if (session.user.mustChangePassword) {
    return options.beforePasswordChange ? undefined : passwordPagePath
  }
  if (session.lacksTerms) return options.beforeTerms ? undefined : termsPagePath
  return session.isTwoFactorOverdue && !options.beforeTwoFactor ? twoFactorPagePath : undefined
}
