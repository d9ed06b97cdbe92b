import { DomainError } from '@stithy/core'
import { csrfField, errorSummary, type FormError, type Html, html, textField } from '@stithy/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { signalOf } from '../../platform/http/register.ts'
import { TooManySignInsError } from '../authentication/password-sign-in.ts'
import type { Session } from '../authentication/session.ts'
import { twoFactorPagePath as path } from '../authentication/two-factor-requirement.ts'
import {
  confirmTwoFactor,
  type Proof,
  replaceRecoveryCodes,
  resumeTwoFactorSetup,
  turnOffTwoFactor,
  viewTwoFactor,
} from '../two-factor/two-factor.service.ts'
import { withSession } from './browser.ts'
import { formText, formValue } from './form.ts'
import { returnField, sendPage } from './page.ts'
import { returnParameter, returnPath } from './return-path.ts'

const options = { beforeTwoFactor: true }
const title = 'Two-factor authentication'
const settings = title

/** Registers the page to set up two-factor authentication, by choice or because it is required. */
export function registerTwoFactorPage(server: FastifyInstance, app: App): void {
  server.get(
    path,
    withSession((request, reply, session) => {
      const target = returnPath(formValue(request.query, [returnParameter]))
      return showState(app, reply, session, { target })
    }, options),
  )
  const onSubmit = (suffix: string, submit: Submit) =>
    server.post(
      `${path}${suffix}`,
      withSession(
        (request, reply, session) => attempt(app, request, reply, session, submit),
        options,
      ),
    )
  onSubmit('', async ({ user }, proof) => confirmTwoFactor(app, user, proof))
  onSubmit('/codes', async ({ user }, proof) => replaceRecoveryCodes(app, user, proof))
  onSubmit('/disable', async ({ user }, proof) => {
    await turnOffTwoFactor(app, user, proof)
    return undefined
  })
}

/** Does what a form is for; returns new recovery codes, if any. */
type Submit = (session: Session, proof: Proof) => Promise<string[] | undefined>

async function attempt(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
  submit: Submit,
): Promise<FastifyReply> {
  const target = returnPath(formText(request.body, returnParameter))
  try {
    const codes = await submit(session, proofOf(request, reply))
    if (codes === undefined) return reply.redirect(path, 302)
    return showCodes(reply, session, { codes, target })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    const isLimited = error instanceof TooManySignInsError
    if (!isLimited && error.code !== 'bad_request') throw error
    if (isLimited) reply.headers(error.headers)
    const status = isLimited ? 429 : 422
    const text = isLimited ? error.message : `${error.message}.`
    const formErrors = [{ field: 'user_otp_attempt', text }]
    return showState(app, reply, session, { target, status, formErrors })
  }
}

/** Longer texts are neither a code nor a password. */
const maxProofLength = 256

function proofOf(request: FastifyRequest, reply: FastifyReply): Proof {
  const read = (name: string) => formText(request.body, 'user', name).slice(0, maxProofLength)
  const [otp, password] = [read('otp_attempt'), read('current_password')]
  const address = request.ip
  // The code is asked for first; without both, an empty one is wrong.
  if (otp === '' && password !== '') return { password, address, signal: signalOf(reply) }
  return { otp, address }
}

interface PageState {
  /** Path to go on to. */
  target: string
  status?: number
  formErrors?: readonly FormError[]
}

async function showState(
  app: App,
  reply: FastifyReply,
  session: Session,
  { target, status = 200, formErrors = [] }: PageState,
): Promise<FastifyReply> {
  const state = await viewTwoFactor(app, session.user.id)
  const content = state.enabled
    ? enabledForm(session, { left: state.recoveryCodesLeft, formErrors })
    : setupForm(session, await resumeTwoFactorSetup(app, session.user), { target, formErrors })
  const body = html`${errorSummary(formErrors)}${content}`
  return sendPage(reply, { title, body, session, status, settings })
}

function setupForm(
  session: Session,
  setup: { secret: string; otpauthUrl: string },
  { target, formErrors }: { target: string; formErrors: readonly FormError[] },
): Html {
  return html`<section>
${session.isTwoFactorOverdue && html`<p>Set up two-factor authentication before you go on: it is required.</p>`}
<p>Add this secret to an authenticator app, by hand or with the link, and enter the code that it shows.</p>
<p><code id="two-factor-secret">${setup.secret}</code></p>
<p><a href="${setup.otpauthUrl}">Open in an authenticator app on this device</a></p>
</section>
<form method="post" action="${path}">
${csrfField(session)}
${returnField(target)}
${textField({ id: 'user_otp_attempt', name: 'user[otp_attempt]', label: 'Code', type: 'text', autocomplete: 'one-time-code', hint: 'Six digits.', required: true, formErrors })}
<p><button class="primary" type="submit">Turn on two-factor authentication</button></p>
</form>
${!session.isTwoFactorOverdue && html`<p><a href="${target}">Not now</a></p>`}`
}

function enabledForm(
  session: Session,
  { left, formErrors }: { left: number; formErrors: readonly FormError[] },
): Html {
  return html`<section><p>Two-factor authentication is on. Recovery codes left: ${left}.</p></section>
<form method="post" action="${path}/codes">
<h2>Change it</h2>
${csrfField(session)}
${textField({ id: 'user_otp_attempt', name: 'user[otp_attempt]', label: 'Code', type: 'text', autocomplete: 'one-time-code', hint: 'Of your authenticator app, or one of your recovery codes.', formErrors })}
${textField({ id: 'user_current_password', name: 'user[current_password]', label: 'Or your password', type: 'password', autocomplete: 'current-password' })}
<p><button class="primary" type="submit">Create new recovery codes</button>
<button class="danger" type="submit" formaction="${path}/disable">Turn off two-factor authentication</button></p>
</form>`
}

function showCodes(
  reply: FastifyReply,
  session: Session,
  { codes, target }: { codes: readonly string[]; target: string },
): FastifyReply {
  const items = codes.map((code) => html`<li><code>${code}</code></li>`)
  const body = html`<section class="notice" role="status">
<h2>Two-factor authentication is on</h2>
<p>Each of these recovery codes replaces one of the app, once. Keep them in a safe place: they are not shown again.</p>
<ul id="recovery-codes">${items}</ul>
</section>
<p><a href="${target}">Continue</a></p>`
  return sendPage(reply, { title, body, session, settings })
}
