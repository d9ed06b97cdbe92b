import { DomainError, type FieldErrors } from '@stithy/core'
import { csrfField, errorSummary, type FormError, html, textField } from '@stithy/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { clientNetwork } from '../../platform/http/client-network.ts'
import { createRateLimiter, type RateLimiter } from '../../platform/http/rate-limiter.ts'
import { type SignUp, signUp } from '../users/sign-up.service.ts'
import { currentSession } from './browser.ts'
import { formText } from './form.ts'
import {
  hasFormToken,
  keepFormCookie,
  lostCookieText,
  signInPath,
  signUpPath,
} from './form-cookie.ts'
import { openSession } from './open-session.ts'
import { comesFromHere } from './own-page.ts'
import { sendPage } from './page.ts'
import { pageText } from './page-text.ts'
import { rejectForm } from './refused-form.ts'

/** Accounts that one network may try to create in a minute. */
const perMinute = 6

/** Registers `GET` and `POST /users/sign_up`, on which visitors create accounts. */
export function registerSignUpPage(server: FastifyInstance, app: App): void {
  const limiter = createRateLimiter({ limit: perMinute, windowMs: 60_000, now: app.now })
  server.get(signUpPath, async (request, reply) => {
    if (currentSession(request) !== undefined) return reply.redirect('/', 302)
    if (!app.settings.signup_enabled) return reply.redirect(signInPath, 302)
    return showForm(app, request, reply, { status: 200, values: blank, formErrors: [] })
  })
  server.post(signUpPath, async (request, reply) => {
    const isComplete = hasFormToken(request)
    if (!isComplete && !comesFromHere(request)) return rejectForm(reply)
    if (!app.settings.signup_enabled) return reply.redirect(signInPath, 302)
    if (!isComplete) {
      const formErrors = [{ field: 'new_user_password', text: lostCookieText }]
      return showForm(app, request, reply, { status: 422, values: readForm(request), formErrors })
    }
    return submit(app, request, reply, limiter)
  })
}

const blank: SignUp = { name: '', username: '', email: '', password: '' }

interface FormState {
  status: number
  values: SignUp
  formErrors: readonly FormError[]
}

/** Longer texts are not shown again. */
const maxShown = 255

function showForm(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, values, formErrors }: FormState,
): FastifyReply {
  const token = keepFormCookie(app, request, reply, signUpPath)
  const field = (id: 'name' | 'username' | 'email', label: string, autocomplete: string) =>
    textField({
      id: `new_user_${id}`,
      name: `new_user[${id}]`,
      label,
      type: 'text',
      value: values[id].slice(0, maxShown),
      autocomplete,
      required: true,
      formErrors,
    })
  const body = html`${errorSummary(formErrors)}
<form method="post" action="${signUpPath}">
${csrfField({ csrfToken: token })}
${field('name', 'Full name', 'name')}
${field('username', 'Username', 'username')}
${field('email', 'E-mail address', 'email')}
${textField({ id: 'new_user_password', name: 'new_user[password]', label: 'Password', type: 'password', autocomplete: 'new-password', hint: 'At least 8 characters.', required: true, formErrors })}
<p><button class="primary" type="submit">Create the account</button></p>
</form>
<p><a href="${signInPath}">Sign in with an existing account</a></p>`
  return sendPage(reply, { title: 'Create an account', body, status })
}

function readForm({ body }: FastifyRequest): SignUp {
  const read = (name: keyof SignUp) => formText(body, 'new_user', name)
  return {
    name: read('name').trim(),
    username: read('username').trim(),
    email: read('email').trim(),
    password: read('password'),
  }
}

async function submit(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  limiter: RateLimiter,
): Promise<FastifyReply> {
  const values = readForm(request)
  const { allowed, retryAfter } = limiter.hit(clientNetwork(request.ip))
  if (!allowed) {
    const text = 'Too many accounts were created. Wait a minute, then try again.'
    reply.header('Retry-After', String(retryAfter))
    return showForm(app, request, reply, {
      ...{ status: 429, values },
      formErrors: [{ field: 'new_user_name', text }],
    })
  }
  try {
    const user = await signUp(app, values)
    if (user === undefined) return showAlmostThere(app, reply)
    const next = await openSession(app, request, reply, { user, remember: false, target: '/' })
    return welcome(app, reply, next ?? signInPath)
  } catch (error) {
    const fields = error instanceof DomainError ? error.detail.fields : undefined
    if (fields === undefined) throw error
    return showForm(app, request, reply, { status: 422, values, formErrors: errorsOf(fields) })
  }
}

const labels: Readonly<Record<string, string>> = {
  name: 'Full name',
  username: 'Username',
  email: 'Email',
  password: 'Password',
}

function errorsOf(fields: FieldErrors): FormError[] {
  return Object.entries(fields).flatMap(([name, texts]) =>
    texts.map((text) => ({ field: `new_user_${name}`, text: `${labels[name] ?? name} ${text}` })),
  )
}

/** The address has to be confirmed first. */
async function showAlmostThere(app: App, reply: FastifyReply): Promise<FastifyReply> {
  const body = html`<section><p>Open the link in the e-mail that was sent to you to confirm your address, then <a href="${signInPath}">sign in</a>.</p></section>
${await pageText(app, app.settings.after_sign_up_text)}`
  return sendPage(reply, { title: 'Almost there', body })
}

/** Shows `after_sign_up_text`, if there is one. */
async function welcome(app: App, reply: FastifyReply, next: string): Promise<FastifyReply> {
  const text = await pageText(app, app.settings.after_sign_up_text)
  if (text === undefined) return reply.redirect(next, 302)
  const body = html`${text}<p><a href="${next}">Continue</a></p>`
  return sendPage(reply, { title: 'Welcome', body })
}
