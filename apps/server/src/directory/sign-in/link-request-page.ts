import { DomainError, emailErrors } from '@stithy/core'
import { csrfField, errorSummary, type FormError, html, textField } from '@stithy/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { clientNetwork } from '../../platform/http/client-network.ts'
import { rateLimitHeaders } from '../../platform/http/rate-limiter.ts'
import { formText } from './form.ts'
import { hasFormToken, keepFormCookie, lostCookieText } from './form-cookie.ts'
import { comesFromHere } from './own-page.ts'
import { sendPage } from './page.ts'
import { rejectForm } from './refused-form.ts'

/** A link that users ask for by their e-mail address. */
export interface MailedLink {
  /** Path of the page with the form. */
  path: string
  /** Where the form is sent, and the path of its cookie. */
  formPath: string
  title: string
  /** Has the link mailed if an account has the address. */
  request: (app: App, address: string) => Promise<void>
}

/** Registers the page on which users ask for a link; there is none while no mail is sent. */
export function registerLinkRequestPage(server: FastifyInstance, app: App, link: MailedLink): void {
  server.get(link.path, async (request, reply) => {
    requireMail(app)
    return showForm(app, link, request, reply, { address: '', formErrors: [] })
  })
  server.post(link.formPath, async (request, reply) => {
    requireMail(app)
    if (hasFormToken(request)) return requestLink(app, link, request, reply)
    if (!comesFromHere(request)) return rejectForm(reply)
    const formErrors = [{ field: 'user_email', text: lostCookieText }]
    return showForm(app, link, request, reply, { address: readAddress(request), formErrors })
  })
}

/** @throws DomainError `not_found` while no mail is sent */
function requireMail({ mailTransport }: App): void {
  if (mailTransport === undefined) throw new DomainError('not_found')
}

function showForm(
  app: App,
  { formPath, title }: MailedLink,
  request: FastifyRequest,
  reply: FastifyReply,
  { address, formErrors }: { address: string; formErrors: readonly FormError[] },
): FastifyReply {
  const token = keepFormCookie(app, request, reply, formPath)
  const body = html`${errorSummary(formErrors)}
<form method="post" action="${formPath}">
${csrfField({ csrfToken: token })}
${textField({ id: 'user_email', name: 'user[email]', label: 'E-mail address', type: 'text', value: address.slice(0, 255), autocomplete: 'email', required: true, formErrors })}
<p><button class="primary" type="submit">Send a link</button></p>
</form>`
  const status = formErrors.length === 0 ? 200 : 422
  return sendPage(reply, { title, body, status })
}

function readAddress({ body }: FastifyRequest): string {
  return formText(body, 'user', 'email').trim()
}

/** Answers the same for every address: only its owner learns whether there is an account. */
async function requestLink(
  app: App,
  link: MailedLink,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const address = readAddress(request)
  if (emailErrors(address).length > 0) {
    const formErrors = [{ field: 'user_email', text: 'This is no e-mail address.' }]
    return showForm(app, link, request, reply, { address, formErrors })
  }
  const { network, address: perAddress } = app.mailedLinkLimiters
  const limit = network.hit(clientNetwork(request.ip))
  if (!limit.allowed) {
    return sendPage(
      reply.headers({ 'Retry-After': limit.retryAfter, ...rateLimitHeaders(limit) }),
      {
        status: 429,
        title: 'Too many requests',
        body: html`<section><p>Wait a minute, then try again.</p></section>`,
      },
    )
  }
  // Beyond its limit an address gets no more mail, and the page says so no more than anything else.
  const key = `${link.path} ${address.toLowerCase()}`
  if (perAddress.hit(key).allowed) await link.request(app, address)
  return sendPage(reply, {
    title: 'Look into your mailbox',
    body: html`<section><p>If an account has this address, it gets a mail with a link in a few minutes.</p></section>`,
  })
}
