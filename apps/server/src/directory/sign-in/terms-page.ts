import { csrfField, html } from '@stithy/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { Session } from '../authentication/session.ts'
import { cookieOptions, sessionCookie } from '../authentication/session-cookie.ts'
import { termsPagePath as path } from '../authentication/terms.ts'
import { acceptTerms } from '../users/terms.service.ts'
import { currentSession, dropSession, withSession } from './browser.ts'
import { formText, formValue } from './form.ts'
import { signInPath } from './form-cookie.ts'
import { returnField, sendPage } from './page.ts'
import { pageText } from './page-text.ts'
import { returnParameter, returnPath } from './return-path.ts'

/** Registers the page with the terms of service, which users accept or decline. */
export function registerTermsPage(server: FastifyInstance, app: App): void {
  server.get(path, (request, reply) => {
    const target = returnPath(formValue(request.query, [returnParameter]))
    return showTerms(app, reply, { session: currentSession(request), target })
  })
  server.post(
    path,
    withSession((request, reply, session) => decide(app, request, reply, session), {
      beforeTerms: true,
    }),
  )
}

interface PageState {
  session: Session | undefined
  /** Path to go on to. */
  target: string
  isOutdated?: boolean
}

async function showTerms(
  app: App,
  reply: FastifyReply,
  { session, target, isOutdated = false }: PageState,
): Promise<FastifyReply> {
  const { settings, settingsCache } = app
  if (settings.terms === null) return reply.redirect(target, 302)
  const version = settingsCache.termsVersion ?? 0
  const text = await pageText(app, settings.terms)
  const body = html`${isOutdated && html`<section role="alert"><p>The terms have changed meanwhile. Read them again.</p></section>`}
${text}
${
  session?.lacksTerms &&
  html`<form method="post" action="${path}">
${csrfField(session)}
${returnField(target)}
<input type="hidden" name="version" value="${version}">
<p><button class="primary" type="submit" name="decision" value="accept">Accept the terms</button>
<button type="submit" name="decision" value="decline">Decline and sign out</button></p>
</form>`
}`
  const status = isOutdated ? 409 : 200
  return sendPage(reply, { title: 'Terms of Service', body, session, status })
}

async function decide(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const decision = formText(request.body, 'decision')
  const target = returnPath(formText(request.body, returnParameter))
  if (decision === 'decline') {
    await dropSession(app, request)
    reply.clearCookie(sessionCookie, cookieOptions(app, request.protocol))
    return reply.redirect(signInPath, 302)
  }
  const { termsVersion: version } = app.settingsCache
  if (decision !== 'accept' || version === undefined) {
    return showTerms(app, reply, { session, target })
  }
  // Only what was shown can be accepted.
  if (formText(request.body, 'version') !== String(version)) {
    return showTerms(app, reply, { session, target, isOutdated: true })
  }
  await acceptTerms(app, { userId: session.user.id, version })
  return reply.redirect(target, 302)
}
