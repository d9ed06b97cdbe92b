import { passwordErrors } from '@stithy/core'
import { csrfField, errorSummary, type FormError, html, textField } from '@stithy/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import {
  findResetUser,
  newPasswordPath,
  requestPasswordReset,
  resetPassword,
} from '../users/mails/password-reset.service.ts'
import { currentSession } from './browser.ts'
import { formText } from './form.ts'
import { hasFormToken, keepFormCookie } from './form-cookie.ts'
import { registerLinkRequestPage } from './link-request-page.ts'
import { sendPage } from './page.ts'
import { rejectForm } from './refused-form.ts'

/** The page to ask for a link for a new password. */
export const resetRequestPath = '/users/password/new'

/** Where both forms are sent, and the path of their cookie. */
const formPath = '/users/password'

/** Registers the pages with which users who forgot their password choose a new one. */
export function registerPasswordResetPages(server: FastifyInstance, app: App): void {
  registerLinkRequestPage(server, app, {
    path: resetRequestPath,
    formPath,
    title: 'Reset your password',
    request: requestPasswordReset,
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
    textField({
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
${csrfField({ csrfToken })}
<input type="hidden" name="user[reset_password_token]" value="${token}">
${field('password', 'New password', 'At least 8 characters.')}
${field('password_confirmation', 'Confirm the new password')}
<p><button class="primary" type="submit">Change the password</button></p>
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
