import { passwordErrors } from '@stithy/core'
import { deleteSessionsOf, updateUser } from '@stithy/store'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { hashPassword } from '../authentication/password.ts'
import { authenticatePassword } from '../authentication/password-sign-in.ts'
import { type Session, startSession } from '../authentication/session.ts'
import { setSessionCookie, signedIn } from './browser.ts'
import { formText, formValue } from './form.ts'
import { html } from './html.ts'
import {
  errorSummary,
  hiddenReturn,
  hiddenToken,
  inputField,
  type Mistake,
  sendPage,
} from './page.ts'
import { returnParameter, returnPath } from './return-path.ts'

const path = '/-/profile/password/new'

/** Changing the own password, at will or because an administrator set the last one. */
export function registerPasswordPage(server: FastifyInstance, app: App): void {
  const options = { beforePasswordChange: true }
  server.get(
    path,
    signedIn(
      app,
      async (request, reply, session) => {
        const target = returnPath(formValue(request.query, [returnParameter]))
        return showForm(reply, session, { target, mistakes: [] })
      },
      options,
    ),
  )
  server.post(
    path,
    signedIn(app, (request, reply, session) => change(app, request, reply, session), options),
  )
}

interface FormState {
  /** Where to go afterwards. */
  target: string
  mistakes: readonly Mistake[]
}

function showForm(
  reply: FastifyReply,
  session: Session,
  { target, mistakes }: FormState,
): FastifyReply {
  const field = (id: string, label: string, autocomplete: string, hint?: string) =>
    inputField({
      id: `user_${id}`,
      name: `user[${id}]`,
      label,
      type: 'password',
      autocomplete,
      required: true,
      mistakes,
      ...(hint === undefined ? {} : { hint }),
    })
  const body = html`${errorSummary(mistakes)}
${session.user.mustChangePassword && html`<section><p>Choose a new password before you go on.</p></section>`}
<form method="post" action="${path}">
${hiddenToken(session.csrfToken)}
${hiddenReturn(target)}
${field('current_password', 'Current password', 'current-password')}
${field('password', 'New password', 'new-password', 'At least 8 characters.')}
${field('password_confirmation', 'New password once more', 'new-password')}
<p><button type="submit">Change the password</button></p>
</form>`
  const status = mistakes.length === 0 ? 200 : 422
  return sendPage(reply, { title: 'Change your password', body, session, status })
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
  const mistakes = newPasswordMistakes(current, password, again)
  if (mistakes.length > 0) return showForm(reply, session, { target, mistakes })
  const attempt = { login: user.username, password: current, address: request.ip }
  const result = await authenticatePassword(app, attempt)
  if (result.kind !== 'user') {
    const mistake = { field: 'user_current_password', text: 'The current password is wrong.' }
    return showForm(reply, session, { target, mistakes: [mistake] })
  }
  const passwordHash = await hashPassword(password, app.config.passwordCost)
  const now = app.now()
  const cookie = await app.db.transaction(async (tx) => {
    await updateUser(tx, user.id, { passwordHash, mustChangePassword: 0, updatedAt: now })
    await deleteSessionsOf(tx, user.id)
    return startSession(tx, { userId: user.id, remember, now })
  })
  setSessionCookie(app, request, reply, { cookie, remember })
  return reply.redirect(target, 302)
}

function newPasswordMistakes(current: string, password: string, again: string): Mistake[] {
  const [wrong] = passwordErrors(password)
  const field = 'user_password'
  if (wrong !== undefined) return [{ field, text: `The new password ${wrong}.` }]
  if (password === current) return [{ field, text: 'The new password is the current one.' }]
  if (password !== again) {
    return [{ field: 'user_password_confirmation', text: 'The two new passwords differ.' }]
  }
  return []
}
