import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import { signalOf } from '../../platform/http/register.ts'
import { html } from '../../platform/text/html.ts'
import {
  authenticatePassword,
  type PasswordResult,
  TooManySignInsError,
} from '../authentication/password-sign-in.ts'
import { newSecret, secretsMatch } from '../authentication/secret.ts'
import { startSession } from '../authentication/session.ts'
import { cookieOptions } from '../authentication/session-cookie.ts'
import { recordSignIn } from '../users/sign-in-record.ts'
import { currentSession, dropSession, rejectForm, setSessionCookie } from './browser.ts'
import { formText, formValue } from './form.ts'
import {
  csrfField,
  errorSummary,
  type FormError,
  inputField,
  returnField,
  sendPage,
} from './page.ts'
import { returnParameter, returnPath, withReturn } from './return-path.ts'

/**
 * CSRF protection before there is a session: the form's token must match this cookie, which no
 * other site can read, nor make the browser send with its own form.
 */
const formCookie = '_service_sign_in'

/** Registers `GET` and `POST /users/sign_in`. */
export function registerSignInPage(server: FastifyInstance, app: App): void {
  server.get('/users/sign_in', async (request, reply) => {
    const session = currentSession(request)
    const target = returnPath(formValue(request.query, [returnParameter]))
    if (session !== undefined) return reply.redirect(target, 302)
    return showForm(app, request, reply, { status: 200, login: '', target, formErrors: [] })
  })
  server.post('/users/sign_in', async (request, reply) => {
    const expected = request.cookies[formCookie]
    const token = formText(request.body, 'authenticity_token')
    if (expected === undefined || !secretsMatch(token, expected)) return rejectForm(reply)
    return signIn(app, request, reply)
  })
}

function formCookieOptions(app: App, request: FastifyRequest) {
  return { ...cookieOptions(app, request.protocol), path: '/users/sign_in' }
}

interface FormState {
  status: number
  login: string
  /** Path to redirect to afterwards. */
  target: string
  formErrors: readonly FormError[]
}

function showForm(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, login, target, formErrors }: FormState,
): FastifyReply {
  const token = request.cookies[formCookie] ?? newSecret()
  reply.setCookie(formCookie, token, formCookieOptions(app, request))
  const body = html`${errorSummary(formErrors)}
<form method="post" action="/users/sign_in">
${csrfField(token)}
${returnField(target)}
${inputField({ id: 'user_login', name: 'user[login]', label: 'Username or e-mail address', type: 'text', value: login, autocomplete: 'username', required: true, formErrors })}
${inputField({ id: 'user_password', name: 'user[password]', label: 'Password', type: 'password', autocomplete: 'current-password', required: true })}
<div class="choice">
<input id="user_remember_me" name="user[remember_me]" type="checkbox" value="1">
<label for="user_remember_me">Stay signed in when the browser is closed</label>
</div>
<p><button type="submit">Sign in</button></p>
</form>`
  return sendPage(reply, { title: 'Sign in', body, status })
}

async function signIn(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const login = formText(request.body, 'user', 'login').trim()
  const password = formText(request.body, 'user', 'password')
  const target = returnPath(formText(request.body, returnParameter))
  const fail = (status: number, text: string) => {
    const formErrors = [{ field: 'user_login', text }]
    return showForm(app, request, reply, { status, login: login.slice(0, 255), target, formErrors })
  }
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
  const remember = formText(request.body, 'user', 'remember_me') === '1'
  await openSession(app, request, reply, { user: result.user, remember })
  const { mustChangePassword } = result.user
  return reply.redirect(
    mustChangePassword ? withReturn('/-/profile/password/new', target) : target,
    302,
  )
}

/** Opens a session with a new id at every sign-in, against session fixation. */
async function openSession(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, remember }: { user: CallerUser; remember: boolean },
): Promise<void> {
  await dropSession(app, request)
  const now = app.now()
  const cookie = await app.db.transaction(async (tx) => {
    await recordSignIn(tx, user.id, now)
    return startSession(tx, { userId: user.id, remember, now })
  })
  setSessionCookie(app, request, reply, { cookie, remember })
  reply.clearCookie(formCookie, formCookieOptions(app, request))
}
