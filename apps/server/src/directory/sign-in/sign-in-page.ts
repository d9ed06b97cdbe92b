import { csrfField, errorSummary, type FormError, type Html, html, textField } from '@stithy/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { signalOf } from '../../platform/http/register.ts'
import { signInIntroduction } from '../appearance/page-frame.ts'
import {
  authenticatePassword,
  type PasswordResult,
  TooManySignInsError,
  unconfirmedText,
} from '../authentication/password-sign-in.ts'
import { findTwoFactorRequirementAtSignIn } from '../authentication/two-factor-requirement.ts'
import { currentSession } from './browser.ts'
import { isCodeForm, signInWithCode, startCodeStep } from './code-step.ts'
import { confirmationRequestPath } from './confirmation-page.ts'
import { formText, formValue } from './form.ts'
import {
  hasFormToken,
  keepFormCookie,
  lostCookieText,
  signInPath,
  signUpPath,
} from './form-cookie.ts'
import { openSession } from './open-session.ts'
import { comesFromHere } from './own-page.ts'
import { returnField, sendPage } from './page.ts'
import { pageText } from './page-text.ts'
import { resetRequestPath } from './password-reset-page.ts'
import { rejectForm } from './refused-form.ts'
import { returnParameter, returnPath } from './return-path.ts'

/** Registers `GET` and `POST /users/sign_in`. */
export function registerSignInPage(server: FastifyInstance, app: App): void {
  server.get(signInPath, async (request, reply) => {
    const session = currentSession(request)
    const target = returnPath(formValue(request.query, [returnParameter]))
    if (session !== undefined) return reply.redirect(target, 302)
    return showForm(app, request, reply, { status: 200, login: '', target, formErrors: [] })
  })
  server.post(signInPath, async (request, reply) => {
    if (!hasFormToken(request)) return showAgain(app, request, reply)
    if (!isCodeForm(request)) return signIn(app, request, reply)
    const refusal = await signInWithCode(app, request, reply)
    if (refusal === undefined) return reply
    const { status, target, text } = refusal
    const formErrors = [{ field: 'user_login', text }]
    return showForm(app, request, reply, { status, login: '', target, formErrors })
  })
}

interface FormState {
  status: number
  login: string
  /** Path to redirect to afterwards. */
  target: string
  formErrors: readonly FormError[]
}

async function showForm(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  state: FormState,
): Promise<FastifyReply> {
  const { settings } = app
  const body = html`${await signInIntroduction(app)}
${await pageText(app, settings.sign_in_text)}
${settings.password_authentication_enabled_for_web ? passwordForm(app, request, reply, state) : noPassword}
${settings.signup_enabled && html`<p><a href="${signUpPath}">Create an account</a></p>`}`
  return sendPage(reply, { title: 'Sign in', body, status: state.status })
}

const noPassword = html`<section><p>Signing in with a password is switched off.</p></section>`

function passwordForm(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { login, target, formErrors }: FormState,
): Html {
  const token = keepFormCookie(app, request, reply)
  return html`${errorSummary(formErrors)}
<form method="post" action="${signInPath}">
${csrfField({ csrfToken: token })}
${returnField(target)}
${textField({ id: 'user_login', name: 'user[login]', label: 'Username or e-mail address', type: 'text', value: login, autocomplete: 'username', required: true, formErrors })}
${textField({ id: 'user_password', name: 'user[password]', label: 'Password', type: 'password', autocomplete: 'current-password', required: true, formErrors })}
<div class="choice">
<input id="user_remember_me" name="user[remember_me]" type="checkbox" value="1">
<label for="user_remember_me">Stay signed in when the browser is closed</label>
</div>
<p><button class="primary" type="submit">Sign in</button></p>
</form>
${app.mailTransport && html`<p><a href="${resetRequestPath}">Forgot your password?</a></p>`}
${app.mailTransport && app.settings.send_user_confirmation_email && html`<p><a href="${confirmationRequestPath}">No mail to confirm your e-mail address?</a></p>`}`
}

/** Shows a form that came without its cookie with what was typed, but for the password. */
async function showAgain(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!comesFromHere(request)) return rejectForm(reply)
  const formErrors = [{ field: 'user_password', text: lostCookieText }]
  return showForm(app, request, reply, { status: 422, ...readForm(request), formErrors })
}

/** What is shown again of a form. */
function readForm({ body }: FastifyRequest): { login: string; target: string } {
  const login = formText(body, 'user', 'login').trim().slice(0, 255)
  return { login, target: returnPath(formText(body, returnParameter)) }
}

async function signIn(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const login = formText(request.body, 'user', 'login').trim()
  const password = formText(request.body, 'user', 'password')
  const shown = readForm(request)
  const { target } = shown
  const fail = (status: number, text: string) => {
    const formErrors = [{ field: 'user_login', text }]
    return showForm(app, request, reply, { status, ...shown, formErrors })
  }
  if (!app.settings.password_authentication_enabled_for_web) return fail(403, '')
  let result: PasswordResult
  try {
    const attempt = { login, password, address: request.ip, signal: signalOf(reply) }
    result = await authenticatePassword(app, attempt)
  } catch (error) {
    if (!(error instanceof TooManySignInsError)) throw error
    reply.headers(error.headers)
    return fail(429, 'Too many failed sign-ins. Wait a minute, then try again.')
  }
  if (result.kind === 'invalid') return fail(401, 'The username or the password is wrong.')
  if (result.kind === 'blocked') return fail(403, 'Your account has been blocked.')
  if (result.kind === 'unconfirmed') return fail(403, unconfirmedText)
  const { user, twoFactorEnabled, twoFactor } = result
  const remember = formText(request.body, 'user', 'remember_me') === '1'
  if (twoFactorEnabled) return startCodeStep(app, request, reply, { user, remember, target })
  const requirement = await findTwoFactorRequirementAtSignIn(app, { ...twoFactor, id: user.id })
  const needsTwoFactor = requirement !== undefined
  const next = await openSession(app, request, reply, { user, remember, target, needsTwoFactor })
  return reply.redirect(next ?? signInPath, 302)
}
