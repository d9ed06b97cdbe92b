import type { Application, NewApplication } from '@stithy/core'
import { badge } from '../../platform/design/badge.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { checkbox, csrfField, textArea, textField } from '../../platform/design/form-fields.ts'
import { shownOnce } from '../../platform/design/shown-once.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { adminAddress, adminPage } from './admin-page.ts'

const formName = 'application'

interface AfterForm {
  failed?: FailedForm
  created?: NewApplication
}

/** `GET /admin/applications`: the OAuth2 clients of the instance. */
export function showApplications(call: PageCall): Promise<Reply> {
  return applicationList(call)
}

async function applicationList(call: PageCall, after: AfterForm = {}): Promise<Reply> {
  const { failed, created } = after
  const applications = await call.client.applications.list()
  const list =
    applications.length === 0
      ? emptyState({
          title: 'No applications',
          text: 'An application signs users in with their account here, or acts for them.',
        })
      : dataTable({
          label: 'Applications',
          columns: [
            { text: 'Name' },
            { text: 'Application ID' },
            { text: 'Redirect URIs' },
            { text: 'Actions', kind: 'actions' },
          ],
          rows: applications.map((application) => applicationRow(call, application)),
        })
  return adminPage({
    area: 'applications',
    failed,
    isSecret: created !== undefined,
    body: html`${created && newSecret(created)}
${card({ body: list, isFlush: true })}
${card({ title: 'New application', body: applicationForm(call, failed) })}`,
  })
}

function newSecret({ application_name: name, application_id: id, secret }: NewApplication): Html {
  const note = html`Its application ID is <code>${id}</code>.`
  return shownOnce({ title: `The secret of ${name}`, secret, note })
}

function applicationRow(call: PageCall, application: Application) {
  const { id, application_name: name, application_id, callback_url: uris } = application
  return [
    html`${name}${application.trusted && html` ${badge('trusted')}`}${!application.confidential && html` ${badge('public')}`}`,
    html`<code>${application_id}</code>`,
    html`${uris.split('\n').map((uri) => html`<div>${uri}</div>`)}`,
    confirmation(call, {
      action: adminAddress('applications', id, 'delete'),
      text: 'Delete',
      label: `Delete ${name}`,
      question: 'Its tokens stop working.',
    }),
  ]
}

function applicationForm(call: PageCall, failed: FailedForm | undefined): Html {
  const view = new FormView(formName, failed)
  return html`<form method="post" action="${adminAddress('applications')}">
${csrfField(call)}
${textField({ ...view.text('name'), label: 'Name', required: true, maxLength: 255 })}
${textArea({ ...view.text('redirect_uri'), label: 'Redirect URIs', hint: 'One in each line.', rows: 3, required: true })}
${textField({ ...view.text('scopes'), label: 'Scopes', hint: html`Separated by blanks, such as <code>read_user openid</code>; all that are asked for, if this is empty.` })}
${checkbox({ ...view.check('confidential', true), label: 'Confidential', hint: 'It can keep its secret; others, such as apps on phones, must use PKCE.' })}
${checkbox({ ...view.check('trusted'), label: 'Trusted', hint: 'Users are not asked for their consent.' })}
<div class="buttons"><button class="primary">Create application</button></div>
</form>`
}

/** `POST /admin/applications`: answers with the secret, which is shown once. */
export async function createApplication(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const created = await submit(
    client.applications.create({
      name: form.text('name'),
      redirect_uri: form.text('redirect_uri'),
      scopes: form.text('scopes'),
      confidential: form.isChecked('confidential'),
      trusted: form.isChecked('trusted'),
    }),
    fieldIds(formName, ['name', 'redirect_uri', 'scopes']),
  )
  if (created.ok) return applicationList(call, { created: created.value })
  const { formErrors } = created
  return applicationList(call, { failed: { name: formName, form, formErrors } })
}

/** `POST /admin/applications/:id/delete`. */
export async function deleteApplication(call: PageCall): Promise<Reply> {
  await call.client.applications.delete({ applicationId: rowId(call) })
  return redirect(adminAddress('applications'))
}
