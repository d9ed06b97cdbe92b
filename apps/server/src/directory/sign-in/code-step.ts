import { csrfField, errorSummary, type FormError, html, textField } from '@stithy/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import type { CallerUser } from '../../platform/http/caller.ts'
import { TooManySignInsError } from '../authentication/password-sign-in.ts'
import {
  findPending,
  pendingSignInLifetimeMs,
  startPendingSignIn,
} from '../authentication/pending-sign-in.ts'
import { checkCode } from '../two-factor/second-factor.service.ts'
import { formText, formValue } from './form.ts'
import { keepFormCookie, signInCookieOptions, signInPath } from './form-cookie.ts'
import { openSession } from './open-session.ts'
import { returnField, sendPage } from './page.ts'
import { returnParameter, returnPath } from './return-path.ts'

/** Identifies a browser that sent the right password, and has yet to send a code. */
const pendingCookie = '_service_two_factor'

/** Longer texts are no code. */
const maxCodeLength = 64

/** Whether the form of the second step was submitted. */
export function isCodeForm({ body }: FastifyRequest): boolean {
  return (
    formValue(body, ['user', 'otp_attempt']) !== undefined && formText(body, 'user', 'login') === ''
  )
}

/** Asks for a code after the right password. */
export async function startCodeStep(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, remember, target }: { user: CallerUser; remember: boolean; target: string },
): Promise<FastifyReply> {
  const cookie = await startPendingSignIn(app, { userId: user.id, remember })
  const maxAge = pendingSignInLifetimeMs / 1000
  reply.setCookie(pendingCookie, cookie, { ...signInCookieOptions(app, request), maxAge })
  return showForm(app, request, reply, { status: 200, target })
}

/** Why a sign-in starts over, to show with the form of the first step. */
export interface CodeStepRefusal {
  status: number
  target: string
  text: string
}

/**
 * Signs in with the code of the second step. Undefined once it has answered: with a redirect, or with
 * the form and an error.
 */
export async function signInWithCode(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CodeStepRefusal | undefined> {
  const target = returnPath(formText(request.body, returnParameter))
  const restart = (status: number, text: string): CodeStepRefusal => {
    reply.clearCookie(pendingCookie, signInCookieOptions(app, request))
    return { status, target, text }
  }
  const expired = () => restart(401, 'The sign-in has expired. Sign in again.')
  const cookie = request.cookies[pendingCookie]
  const pending = cookie === undefined ? undefined : await findPending(app, cookie)
  if (cookie === undefined || pending === undefined) return expired()
  if (pending.isBlocked) return restart(403, 'Your account has been blocked.')
  const { user, remember } = pending
  const result = await tryCode(app, request, user.id)
  if (result === 'absent') return expired()
  if (result !== 'right') {
    showForm(app, request, reply.headers(result.headers), { ...result, target })
    return undefined
  }
  const opening = { user, remember, target, pendingCookie: cookie }
  const next = await openSession(app, request, reply, opening)
  if (next === undefined) return expired()
  reply.clearCookie(pendingCookie, signInCookieOptions(app, request)).redirect(next, 302)
  return undefined
}

/** Checks the submitted code; returns an error to show if it is refused. */
async function tryCode(app: App, request: FastifyRequest, userId: number) {
  const code = formText(request.body, 'user', 'otp_attempt').slice(0, maxCodeLength)
  const refused = (status: number, text: string, headers = {}) => {
    return { status, headers, formErrors: [{ field: 'user_otp_attempt', text }] }
  }
  try {
    const result = await checkCode(app, { userId, code, address: request.ip })
    if (result !== 'wrong') return result
    return refused(401, 'The code is wrong, or was used already.')
  } catch (error) {
    if (!(error instanceof TooManySignInsError)) throw error
    const text = 'Too many failed sign-ins. Wait some minutes, then try again.'
    return refused(429, text, error.headers)
  }
}

interface FormState {
  status: number
  /** Path to redirect to afterwards. */
  target: string
  formErrors?: readonly FormError[]
}

function showForm(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, target, formErrors = [] }: FormState,
): FastifyReply {
  const token = keepFormCookie(app, request, reply)
  const body = html`${errorSummary(formErrors)}
<form method="post" action="${signInPath}">
${csrfField({ csrfToken: token })}
${returnField(target)}
${textField({ id: 'user_otp_attempt', name: 'user[otp_attempt]', label: 'Code', type: 'text', autocomplete: 'one-time-code', hint: 'Of your authenticator app, or one of your recovery codes.', required: true, formErrors })}
<p><button class="primary" type="submit">Verify the code</button></p>
</form>
<p><a href="${signInPath}">Sign in as another user</a></p>`
  return sendPage(reply, { title: 'Two-factor authentication', body, status })
}
