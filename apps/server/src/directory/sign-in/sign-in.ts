import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { AnonymousGuard } from '../../platform/http/anonymous-guard.ts'
import { keepRequestContext } from '../../platform/http/request-context.ts'
import { findPageFrames } from '../appearance/page-frame.ts'
import { isCsrfToken } from '../authentication/csrf-token.ts'
import { cookieOptions, sessionCookie } from '../authentication/session-cookie.ts'
import { currentSession, dropSession, findSessions } from './browser.ts'
import { registerConfirmationPage } from './confirmation-page.ts'
import { sendErrorPage } from './error-page.ts'
import { formText } from './form.ts'
import { signInPath } from './form-cookie.ts'
import { isVisit } from './own-page.ts'
import { registerPasswordPage } from './password-page.ts'
import { registerPasswordResetPages } from './password-reset-page.ts'
import { rejectForm } from './refused-form.ts'
import { registerSignInPage } from './sign-in-page.ts'
import { registerSignUpPage } from './sign-up-page.ts'
import { registerTermsPage } from './terms-page.ts'
import { registerTokenPage } from './token-page.ts'
import { registerTwoFactorPage } from './two-factor-page.ts'

/**
 * Registers the HTML pages for signing in and out, passwords, two-factor authentication and tokens.
 */
export async function registerSignIn(
  server: FastifyInstance,
  app: App,
  guard: AnonymousGuard,
): Promise<void> {
  findSessions(server, app, guard)
  keepRequestContext(server, (request) => currentSession(request)?.user ?? null)
  findPageFrames(server, app)
  server.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply))
  registerSignInPage(server, app)
  registerSignUpPage(server, app)
  registerTermsPage(server, app)
  registerSignOut(server, app)
  registerPasswordPage(server, app)
  registerPasswordResetPages(server, app)
  registerConfirmationPage(server, app)
  registerTokenPage(server, app)
  registerTwoFactorPage(server, app)
}

/** Existing clients sign out with a GET. A forged one does nothing. */
function registerSignOut(server: FastifyInstance, app: App): void {
  server.get('/users/sign_out', (request, reply) =>
    isVisit(request) ? signOut(app, request, reply) : reply.redirect('/', 302),
  )
  server.post('/users/sign_out', async (request, reply) => {
    const session = currentSession(request)
    const token = formText(request.body, 'authenticity_token')
    if (session !== undefined && !isCsrfToken(token, session.csrfToken)) {
      return rejectForm(reply, session)
    }
    return signOut(app, request, reply)
  })
}

async function signOut(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await dropSession(app, request)
  reply.clearCookie(sessionCookie, cookieOptions(app, request.protocol))
  // The pages of this user that a browser keeps to go back to.
  reply.header('clear-site-data', '"cache"')
  return reply.redirect(app.settings.after_sign_out_path ?? signInPath, 302)
}
