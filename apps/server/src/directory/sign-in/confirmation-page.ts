import type { FastifyInstance } from 'fastify'
import type { App } from '../../platform/app.ts'
import { html } from '../../platform/text/html.ts'
import { confirmEmail } from '../users/emails/email-confirmation.service.ts'
import { currentSession } from './browser.ts'
import { formText } from './form.ts'
import { sendPage } from './page.ts'

/** Registers the page that the link in an e-mail opens, which confirms the address. */
export function registerConfirmationPage(server: FastifyInstance, app: App): void {
  // A HEAD request, with which some programs look at links, must not confirm.
  server.get('/users/confirmation', { exposeHeadRoute: false }, async (request, reply) => {
    const session = currentSession(request)
    if (await confirmEmail(app, formText(request.query, 'confirmation_token'))) {
      return sendPage(reply, {
        title: 'Your e-mail address is confirmed',
        session,
        body: html`<section><p><a href="/">Go to the start</a>.</p></section>`,
      })
    }
    return sendPage(reply, {
      title: 'This link is not valid',
      status: 422,
      session,
      body: html`<section><p>It was used before, has expired, or is incomplete. Add the address again to get another one.</p></section>`,
    })
  })
}
