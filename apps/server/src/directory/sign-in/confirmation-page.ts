import { html } from '@stithy/web'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../platform/app.ts'
import { confirmEmail } from '../users/emails/email-confirmation.service.ts'
import { requestConfirmationAgain } from '../users/mails/confirmation-request.ts'
import { currentSession } from './browser.ts'
import { formText } from './form.ts'
import { registerLinkRequestPage } from './link-request-page.ts'
import { sendPage } from './page.ts'

/** The page to ask for another mail with that link. */
export const confirmationRequestPath = '/users/confirmation/new'

/**
 * Registers the page that the link in a mail opens, which confirms an address, and the one to ask
 * for another mail.
 */
export function registerConfirmationPage(server: FastifyInstance, app: App): void {
  registerLinkRequestPage(server, app, {
    path: confirmationRequestPath,
    formPath: '/users/confirmation',
    title: 'Confirm your e-mail address',
    request: requestConfirmationAgain,
  })
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
    const another = app.mailTransport
      ? html`<a href="${confirmationRequestPath}">Ask for another one</a>.`
      : 'Add the address again to get another one.'
    return sendPage(reply, {
      title: 'This link is not valid',
      status: 422,
      session,
      body: html`<section><p>It was used before, has expired, or is incomplete. ${another}</p></section>`,
    })
  })
}
