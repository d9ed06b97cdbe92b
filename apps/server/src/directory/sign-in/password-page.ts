import { passwordErrors } from '@stithy/core'
import { csrfField, errorSummary, type FormError, html, textField } from '@stithy/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { signalOf } from '../../platform/http/register.ts'
import { hashPassword } from '../authentication/password.ts'
import { authenticatePassword } from '../authentication/password-sign-in.ts'
import { type Session, startSession } from '../authentication/session.ts'
import { setOwnPassword } from '../users/password.service.ts'
import { passwordPagePath as path, setSessionCookie, withSession } from './browser.ts'
import { formText, formValue } from './form.ts'
import { returnField, sendPage } from './page.ts'
import { returnParameter, returnPath } from './return-path.ts'

/**
 * Registers the page to change one's password, by choice or because an administrator has reset it.
 */
export function registerPasswordPage(server: FastifyInstance, app: App): void {
  const options = { beforePasswordChange: true }
  server.get(
    path,
    withSession(async (request, reply, session) => {
      const target = returnPath(formValue(request.query, [returnParameter]))
      return showForm(reply, session, { target, formErrors: [] })
    }, options),
  )
  server.post(
    path,
    withSession((request, reply, session) => change(app, request, reply, session), options),
  )
}

interface FormState {
  /** Path to redirect to afterwards. */
  target: string
  formErrors: readonly FormError[]
}

function showForm(
  reply: FastifyReply,
  session: Session,
  { target, formErrors }: FormState,
): FastifyReply {
  const field = (id: string, label: string, autocomplete: string, hint?: string) =>
    textField({
      id: `user_${id}`,
      name: `user[${id}]`,
      label,
      type: 'password',
      autocomplete,
      required: true,
      formErrors,
      ...(hint === undefined ? {} : { hint }),
    })
  const body = html`${errorSummary(formErrors)}
${session.user.mustChangePassword && html`<section><p>Choose a new password before you go on.</p></section>`}
<form method="post" action="${path}">
${csrfField(session)}
${returnField(target)}
${field('current_password', 'Current password', 'current-password')}
${field('password', 'New password', 'new-password', 'At least 8 characters.')}
${field('password_confirmation', 'Confirm the new password', 'new-password')}
<p><button class="primary" type="submit">Change the password</button></p>
</form>`
  const status = formErrors.length === 0 ? 200 : 422
  return sendPage(reply, {
    title: 'Change your password',
    body,
    session,
    status,
    settings: 'Password',
  })
}

async function change(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
): Promise<FastifyReply> {
  const { user, remember } = session
  const current = formText(request.body, 'user', 'current_password')
  const password = formText(request.body, 'user', 'password')
  const again = formText(request.body, 'user', 'password_confirmation')
  const target = returnPath(formText(request.body, returnParameter))
  const formErrors = newPasswordErrors(current, password, again)
  if (formErrors.length > 0) return showForm(reply, session, { target, formErrors })
  const attempt = {
    login: user.username,
    password: current,
    address: request.ip,
    signal: signalOf(reply),
  }
  const result = await authenticatePassword(app, attempt)
  if (result.kind !== 'user') {
    const formError = { field: 'user_current_password', text: 'The current password is wrong.' }
    return showForm(reply, session, { target, formErrors: [formError] })
  }
  const passwordHash = await hashPassword(password, app.config.passwordCost)
  const now = app.now()
  const cookie = await app.db.transaction(async (tx) => {
    await setOwnPassword(tx, user.id, { passwordHash, now })
    const changes = [{ name: 'password', from: null, to: null }]
    const updated = { updatedUserId: user.id, changes }
    await recordChange(tx, { kind: 'user.updated', userId: user.id, at: now, now, ...updated })
    return startSession(app, tx, { userId: user.id, remember, now })
  })
  setSessionCookie(app, request, reply, { cookie, remember })
  return reply.redirect(target, 302)
}

function newPasswordErrors(current: string, password: string, again: string): FormError[] {
  const [wrong] = passwordErrors(password)
  const field = 'user_password'
  if (wrong !== undefined) return [{ field, text: `The new password ${wrong}.` }]
  if (password === current) return [{ field, text: 'The new password is the current one.' }]
  if (password !== again) {
    return [{ field: 'user_password_confirmation', text: 'The two new passwords differ.' }]
  }
  return []
}
