import { DomainError, forbidden } from '@stithy/core'
import {
  type ApplicationRow,
  fromJsonText,
  type ListedApplicationRow,
  listApplicationsOf,
} from '@stithy/store'
import {
  card,
  csrfField,
  errorSummary,
  type FormError,
  type Html,
  html,
  row,
  rows,
  shownOnce,
} from '@stithy/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { Session } from '../authentication/session.ts'
import { withSession } from '../sign-in/browser.ts'
import { rowId } from '../sign-in/form.ts'
import { sendPage } from '../sign-in/page.ts'
import { setShownOnce, takeShownOnce } from '../sign-in/shown-once.ts'
import { createApplication, deleteApplicationOf } from './application.service.ts'
import {
  changeApplication,
  renewApplicationSecret,
  requireApplicationOf,
} from './application-change.service.ts'
import {
  type ApplicationForm,
  applicationForm,
  applicationFormErrors,
  emptyForm,
  formOf,
  readForm,
  requestOf,
} from './application-form.ts'

/** Page where users list and register their own applications; each has a page below it. */
const path = '/oauth/applications'

/** The largest form, in bytes: as many redirect URIs as there may be, percent-encoded. */
const options = { bodyLimit: 256 * 1024 }

/** What the handlers of these pages get. */
interface Call {
  app: App
  request: FastifyRequest
  reply: FastifyReply
  session: Session
}

/** Registers the pages on which users manage the applications that they have registered. */
export function registerApplicationPages(scope: FastifyInstance, app: App): void {
  const page = (answer: (call: Call) => Promise<FastifyReply>) =>
    withSession((request, reply, session) => answer({ app, request, reply, session }))
  scope.get(path, page(showList))
  scope.post(path, options, page(register))
  scope.get(`${path}/:id`, page(show))
  scope.post(`${path}/:id`, options, page(save))
  scope.post(`${path}/:id/renew`, options, page(renew))
  scope.post(`${path}/:id/delete`, options, page(remove))
}

/** A form that is shown, with the errors of what was submitted. */
interface ShownForm {
  form: ApplicationForm
  formErrors: readonly FormError[]
}

/** Whether a user may register applications: administrators may always. */
function mayRegister({ settings }: App, { user }: Session): boolean {
  return user.admin || settings.user_oauth_applications
}

async function showList(call: Call, failed?: ShownForm): Promise<FastifyReply> {
  const { app, reply, session } = call
  const applications = await listApplicationsOf(app.db, session.user.id)
  const { form, formErrors } = failed ?? { form: emptyForm, formErrors: [] }
  const texts = { action: path, title: 'New application', button: 'Register the application' }
  const registration = mayRegister(app, session)
    ? applicationForm(session, texts, { form, formErrors })
    : html`<section><p>Registering applications is switched off on this server.</p></section>`
  const body = html`${errorSummary(formErrors)}
${registration}
${applicationList(applications)}`
  const status = failed === undefined ? 200 : 422
  return sendPage(reply, {
    title: 'Your applications',
    body,
    session,
    status,
    settings: 'Applications',
  })
}

function applicationList(applications: readonly ListedApplicationRow[]): Html {
  const title = 'Registered applications'
  if (applications.length === 0) return card({ title, body: html`<p>No applications.</p>` })
  const items = applications.map(({ id, name, uid, scopes, createdAt }) =>
    row({
      title: html`<strong class="title"><a href="${path}/${id}"><bdi>${name}</bdi></a></strong>`,
      details: html`<span>Application ID <code>${uid}</code> · ${fromJsonText<string[]>(scopes).join(', ')} · created ${dayOf(createdAt)}</span>`,
    }),
  )
  return card({ title, body: rows(items), isFlush: true })
}

async function register(call: Call): Promise<FastifyReply> {
  const { app, request, reply, session } = call
  if (!mayRegister(app, session)) throw forbidden('Registering applications is switched off.')
  const form = readForm(request.body)
  try {
    const origin = { ownerId: session.user.id, trusted: false } as const
    const created = await createApplication(app, requestOf(session.user, form), origin)
    const own = `${path}/${created.id}`
    setShownOnce({ ...call, path: own }, created)
    return reply.redirect(own, 302)
  } catch (error) {
    return showList(call, { form, formErrors: errorsOf(error) })
  }
}

/** The errors of a form that was refused; others are thrown. */
function errorsOf(error: unknown): FormError[] {
  if (!(error instanceof DomainError) || error.code !== 'validation_failed') throw error
  return applicationFormErrors(error.detail.fields)
}

/** The application that the path names. @throws DomainError `not_found` if it is not the user's */
function named({ request, session }: Call) {
  return { id: rowId(request.params), ownerId: session.user.id }
}

async function show(call: Call): Promise<FastifyReply> {
  const application = await requireApplicationOf(call.app, named(call))
  const shown = takeShownOnce({ ...call, path: `${path}/${application.id}` })
  return showApplication(call, application, { form: formOf(application), formErrors: [] }, shown)
}

function showApplication(
  { reply, session }: Call,
  { id, uid, name }: ApplicationRow,
  shownForm: ShownForm,
  shown?: { secret: string },
): FastifyReply {
  const own = `${path}/${id}`
  const texts = { action: own, title: 'Edit the application', button: 'Save' }
  const body = html`${shown && secretNotice(shown.secret)}
${errorSummary(shownForm.formErrors)}
<section>
<p>Application ID: <code id="application-id">${uid}</code></p>
<p><a href="${path}">All your applications</a></p>
</section>
${applicationForm(session, texts, shownForm)}
<form method="post" action="${own}/renew">
<h2>Another secret</h2>
${csrfField(session)}
<p>Only a hash of the secret is stored. With another one, that from before is refused at once; tokens work on.</p>
<p><button class="primary" type="submit">Renew the secret</button></p>
</form>
<form method="post" action="${own}/delete">
<h2>Delete the application</h2>
${csrfField(session)}
<p>All tokens that it got from users stop working at once. This cannot be undone.</p>
<p><button class="danger" type="submit">Delete the application</button></p>
</form>`
  const status = shownForm.formErrors.length === 0 ? 200 : 422
  return sendPage(reply, { title: name, body, session, status, settings: 'Applications' })
}

function secretNotice(secret: string): Html {
  return shownOnce({ title: 'The secret', id: 'application-secret', secret })
}

async function save(call: Call): Promise<FastifyReply> {
  const { app, request, reply, session } = call
  const application = await requireApplicationOf(app, named(call))
  const form = readForm(request.body)
  try {
    await changeApplication(app, named(call), requestOf(session.user, form))
    return reply.redirect(`${path}/${application.id}`, 302)
  } catch (error) {
    return showApplication(call, application, { form, formErrors: errorsOf(error) })
  }
}

async function renew(call: Call): Promise<FastifyReply> {
  const renewed = await renewApplicationSecret(call.app, named(call))
  const own = `${path}/${named(call).id}`
  setShownOnce({ ...call, path: own }, renewed)
  return call.reply.redirect(own, 302)
}

async function remove(call: Call): Promise<FastifyReply> {
  await deleteApplicationOf(call.app, named(call))
  return call.reply.redirect(path, 302)
}
