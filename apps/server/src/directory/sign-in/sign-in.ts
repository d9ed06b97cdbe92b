import { html } from '@stithy/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { AnonymousGuard } from '../../platform/http/anonymous-guard.ts'
import { keepRequestContext } from '../../platform/http/request-context.ts'
import { findPageFrames } from '../appearance/page-frame.ts'
import { secretsMatch } from '../authentication/secret.ts'
import { cookieOptions, sessionCookie } from '../authentication/session-cookie.ts'
import { currentSession, dropSession, findSessions, rejectForm, withSession } from './browser.ts'
import { registerConfirmationPage } from './confirmation-page.ts'
import { sendErrorPage } from './error-page.ts'
import { formText } from './form.ts'
import { signInPath } from './form-cookie.ts'
import { sendPage } from './page.ts'
import { registerPasswordPage } from './password-page.ts'
import { registerPasswordResetPages } from './password-reset-page.ts'
import { registerSignInPage } from './sign-in-page.ts'
import { registerSignUpPage } from './sign-up-page.ts'
import { stylesheet, stylesheetPath } from './stylesheet.ts'
import { registerTermsPage } from './terms-page.ts'
import { registerTokenPage } from './token-page.ts'
import { registerTwoFactorPage } from './two-factor-page.ts'

/**
 * Registers the HTML pages: sign-in and sign-out, password, two-factor authentication, tokens, and a
 * start page.
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
  server.get(stylesheetPath, async (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      .send(stylesheet),
  )
  registerHome(server, app)
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

function registerHome(server: FastifyInstance, app: App): void {
  const home = withSession(async (_request, reply, session) =>
    sendPage(reply, {
      title: `Hello, ${session.user.name}`,
      session,
      body: html`<section>
<ul>
<li><a href="/-/profile/personal_access_tokens">Personal access tokens</a></li>
<li><a href="/oauth/applications">Your applications</a></li>
<li><a href="/-/profile/two_factor_auth">Two-factor authentication</a></li>
<li><a href="/-/profile/password/new">Change your password</a></li>
<li><a href="/-/api">API reference</a></li>
${session.user.admin && html`<li><a href="/admin">Administration</a></li>`}
</ul>
</section>`,
    }),
  )
  server.get('/', (request, reply) => {
    const { home_page_url: elsewhere } = app.settings
    const isVisitor = currentSession(request) === undefined
    return isVisitor && elsewhere !== null && !isHome(app, elsewhere)
      ? reply.redirect(elsewhere, 302)
      : home(request, reply)
  })
}

/** Whether an address is the page that would redirect to it. */
function isHome({ config }: App, address: string): boolean {
  const url = URL.parse(address, config.externalUrl)
  return url?.origin === new URL(config.externalUrl).origin && url.pathname === '/'
}

/** Existing clients sign out with a GET; a forged request can do no worse than sign out. */
function registerSignOut(server: FastifyInstance, app: App): void {
  server.get('/users/sign_out', (request, reply) => signOut(app, request, reply))
  server.post('/users/sign_out', async (request, reply) => {
    const session = currentSession(request)
    const token = formText(request.body, 'authenticity_token')
    if (session !== undefined && !secretsMatch(token, session.csrfToken)) {
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
