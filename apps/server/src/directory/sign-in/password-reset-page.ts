import { DomainError, emailErrors, passwordErrors } from '@stithy/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { clientNetwork } from '../../platform/http/client-network.ts'
import { rateLimitHeaders } from '../../platform/http/rate-limiter.ts'
import { html } from '../../platform/text/html.ts'
import {
  findResetUser,
  newPasswordPath,
  requestPasswordReset,
  resetPassword,
} from '../users/mails/password-reset.service.ts'
import { currentSession, rejectForm } from './browser.ts'
import { formText } from './form.ts'
import { hasFormToken, keepFormCookie } from './form-cookie.ts'
import { csrfField, errorSummary, type FormError, inputField, sendPage } from './page.ts'

/** The page to ask for a link for a new password. */
export const resetRequestPath = '/users/password/new'

/** Where both forms are sent, and the path of their cookie. */
const formPath = '/users/password'

/** Registers the pages with which users who forgot their password choose a new one. */
export function registerPasswordResetPages(server: FastifyInstance, app: App): void {
  server.get(resetRequestPath, async (request, reply) => {
    requireMail(app)
    return showRequestForm(app, request, reply, { address: '', formErrors: [] })
  })
  server.post(formPath, async (request, reply) => {
    requireMail(app)
    return hasFormToken(request) ? requestLink(app, request, reply) : rejectForm(reply)
  })
  // A HEAD request, with which some programs look at links, needs no answer.
  server.get(newPasswordPath, { exposeHeadRoute: false }, async (request, reply) => {
    const token = formText(request.query, 'reset_password_token')
    if ((await findResetUser(app, token)) === undefined) return showInvalidLink(request, reply)
    return showPasswordForm(app, request, reply, { token, formErrors: [] })
  })
  server.post(newPasswordPath, async (request, reply) =>
    hasFormToken(request) ? choose(app, request, reply) : rejectForm(reply),
  )
}

/** @throws DomainError `not_found` while no mail is sent */
function requireMail({ mailTransport }: App): void {
  if (mailTransport === undefined) throw new DomainError('not_found')
}

function showRequestForm(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { address, formErrors }: { address: string; formErrors: readonly FormError[] },
): FastifyReply {
  const token = keepFormCookie(app, request, reply, formPath)
  const body = html`${errorSummary(formErrors)}
<form method="post" action="${formPath}">
${csrfField(token)}
${inputField({ id: 'user_email', name: 'user[email]', label: 'E-mail address', type: 'text', value: address, autocomplete: 'email', required: true, formErrors })}
<p><button type="submit">Send a link</button></p>
</form>`
  const status = formErrors.length === 0 ? 200 : 422
  return sendPage(reply, { title: 'Reset your password', body, status })
}

/** Answers the same for every address: only its owner learns whether there is an account. */
async function requestLink(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const address = formText(request.body, 'user', 'email').trim()
  if (emailErrors(address).length > 0) {
    const formErrors = [{ field: 'user_email', text: 'This is no e-mail address.' }]
    return showRequestForm(app, request, reply, { address: address.slice(0, 255), formErrors })
  }
  const { network, address: perAddress } = app.passwordResetLimiters
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
  if (perAddress.hit(address.toLowerCase()).allowed) await requestPasswordReset(app, address)
  return sendPage(reply, {
    title: 'Look into your mailbox',
    body: html`<section><p>If an account has this address, it gets a mail with a link in a few minutes.</p></section>`,
  })
}

function showInvalidLink(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPage(reply, {
    title: 'This link is not valid',
    status: 422,
    session: currentSession(request),
    body: html`<section><p>It was used before, has expired, or is incomplete. <a href="${resetRequestPath}">Ask for another one</a>.</p></section>`,
  })
}

function showPasswordForm(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, formErrors }: { token: string; formErrors: readonly FormError[] },
): FastifyReply {
  const csrfToken = keepFormCookie(app, request, reply, formPath)
  const field = (id: string, label: string, hint?: string) =>
    inputField({
      id: `user_${id}`,
      name: `user[${id}]`,
      label,
      type: 'password',
      autocomplete: 'new-password',
      required: true,
      formErrors,
      ...(hint === undefined ? {} : { hint }),
    })
  const body = html`${errorSummary(formErrors)}
<form method="post" action="${newPasswordPath}">
${csrfField(csrfToken)}
<input type="hidden" name="user[reset_password_token]" value="${token}">
${field('password', 'New password', 'At least 8 characters.')}
${field('password_confirmation', 'Confirm the new password')}
<p><button type="submit">Change the password</button></p>
</form>`
  const status = formErrors.length === 0 ? 200 : 422
  return sendPage(reply, { title: 'Choose a new password', body, status })
}

async function choose(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const text = (name: string) => formText(request.body, 'user', name)
  const token = text('reset_password_token')
  const password = text('password')
  const formErrors = newPasswordErrors(password, text('password_confirmation'))
  if (formErrors.length > 0) {
    if ((await findResetUser(app, token)) === undefined) return showInvalidLink(request, reply)
    return showPasswordForm(app, request, reply, { token, formErrors })
  }
  if (!(await resetPassword(app, token, password))) return showInvalidLink(request, reply)
  return sendPage(reply, {
    title: 'Your password is changed',
    body: html`<section><p><a href="/users/sign_in">Sign in</a> with it.</p></section>`,
  })
}

function newPasswordErrors(password: string, again: string): FormError[] {
  const [wrong] = passwordErrors(password)
  if (wrong !== undefined) return [{ field: 'user_password', text: `The new password ${wrong}.` }]
  if (password === again) return []
  return [{ field: 'user_password_confirmation', text: 'The two new passwords differ.' }]
}
