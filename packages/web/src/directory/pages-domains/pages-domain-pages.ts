import { StithyError } from '@stithy/client'
import type { PagesDomain, Project } from '@stithy/core'
import { badge } from '../../platform/design/badge.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { csrfField, textArea, textField } from '../../platform/design/form-fields.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type FailedForm, FormView, fieldIds } from '../../platform/forms/form-view.ts'
import { submit } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { type Reply, redirect } from '../../platform/pages/reply.ts'
import {
  loadManagedProject,
  settingsAddress,
  settingsPage,
} from '../projects/settings/settings-page.ts'

const formName = 'domain'
const names = ['domain', 'certificate', 'key'] as const

/** `GET /<project>/-/pages`: the domains of the site of a project. */
export function showPagesDomains(call: PageCall): Promise<Reply> {
  return domainList(call)
}

async function domainList(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const project = await loadManagedProject(call)
  const path = project.path_with_namespace
  const domains = await loadDomains(call, project.id)
  if (domains === undefined) {
    const text = 'The configuration of this server has switched them off.'
    const body = card({ body: emptyState({ title: 'Pages are switched off', text }) })
    return settingsPage({ call, project, current: 'pages', body })
  }
  const mayChange = project.archived !== true
  const list =
    domains.items.length === 0
      ? emptyState({
          title: 'No domains',
          text: 'The site of this project has no domain of its own.',
        })
      : dataTable({
          label: 'Domains',
          columns: [
            { text: 'Domain' },
            { text: 'State' },
            { text: 'Certificate' },
            ...(mayChange ? [{ text: 'Actions', kind: 'actions' as const }] : []),
          ],
          rows: domains.items.map((domain) => domainRow(call, project, domain)),
        })
  const fields = { action: settingsAddress(path, 'pages', 'domains'), button: 'Add domain', failed }
  return settingsPage({
    call,
    project,
    current: 'pages',
    failed,
    body: html`${card({ title: 'Domains', body: list, isFlush: true })}
${pagination(domains, settingsAddress(path, 'pages'), call.query)}
${mayChange && card({ title: 'Add a domain', body: domainForm(call, fields) })}`,
    locked: 'domains',
  })
}

/** Undefined where the instance has no sites. */
async function loadDomains({ client, query }: PageCall, projectId: number) {
  try {
    return await client.pages.domains.list({ projectId, ...pageNumber(query) })
  } catch (error) {
    if (error instanceof StithyError && error.status === 404) return undefined
    throw error
  }
}

function domainRow(call: PageCall, project: Project, domain: PagesDomain) {
  const path = project.path_with_namespace
  const { domain: name, url, certificate, verified } = domain
  return [
    html`<a href="${settingsAddress(path, 'pages', 'domains', name, 'edit')}">${name}</a> <span class="muted">${url}</span>`,
    verified ? badge('verified', 'good') : badge('not verified', 'warning'),
    certificate === undefined
      ? 'None'
      : html`${certificate.subject}${certificate.expired && html` ${badge('expired', 'danger')}`}`,
    ...(project.archived === true ? [] : [deletion(call, path, name)]),
  ]
}

function deletion(call: PageCall, project: string, domain: string): Html {
  return confirmation(call, {
    action: settingsAddress(project, 'pages', 'domains', domain, 'delete'),
    text: 'Delete',
    label: `Delete ${domain}`,
    question: 'The site is no longer found at it.',
  })
}

interface DomainForm {
  action: string
  button: string
  domain?: PagesDomain
  failed: FailedForm | undefined
}

function domainForm(call: PageCall, { action, button, domain, failed }: DomainForm): Html {
  const view = new FormView(formName, failed)
  const certificate = domain?.certificate?.certificate
  return html`<form method="post" action="${action}">
${csrfField(call)}
${domain === undefined && textField({ ...view.text('domain'), label: 'Domain', required: true, maxLength: 255, placeholder: 'docs.example.org' })}
${textArea({ ...view.text('certificate', certificate), label: 'Certificate', hint: 'In PEM, followed by its intermediate certificates. Both are optional.', format: 'code' })}
${textArea({ ...view.text('key'), label: 'Key', hint: 'It is stored encrypted, and never shown.', format: 'code', rows: 3 })}
<button class="primary">${button}</button>
</form>`
}

/** `POST /<project>/-/pages/domains`. */
export async function addDomain(call: PageCall): Promise<Reply> {
  const { client, form } = call
  const [certificate, key] = [form.optionalText('certificate'), form.optionalText('key')]
  const created = await submit(
    client.pages.domains.create({
      projectId: projectPath(call),
      domain: form.text('domain').trim(),
      ...(certificate !== undefined && { certificate }),
      ...(key !== undefined && { key }),
    }),
    fieldIds(formName, names),
  )
  if (created.ok) return redirect(settingsAddress(projectPath(call), 'pages'))
  return domainList(call, { name: formName, form, formErrors: created.formErrors })
}

/** `GET /<project>/-/pages/domains/:domain/edit`: its certificate, and how it is verified. */
export function showDomainEdit(call: PageCall): Promise<Reply> {
  return domainEdit(call)
}

async function domainEdit(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const project = await loadManagedProject(call)
  const path = project.path_with_namespace
  const domain = await call.client.pages.domains.show({
    projectId: project.id,
    domain: call.params.domain ?? '',
  })
  const action = settingsAddress(path, 'pages', 'domains', domain.domain, 'edit')
  return settingsPage({
    call,
    project,
    current: 'pages',
    title: domain.domain,
    failed,
    body: html`${!domain.verified && card({ title: 'Verification', body: html`<p>Add a TXT record with this text to the domain:</p><pre class="code" tabindex="0">${domain.verification_code}</pre>` })}
${project.archived !== true && card({ title: 'Certificate', body: domainForm(call, { action, button: 'Save certificate', domain, failed }) })}`,
    locked: 'domains',
  })
}

/** `POST /<project>/-/pages/domains/:domain/edit`: an empty key keeps the present one. */
export async function saveDomain(call: PageCall): Promise<Reply> {
  const { client, form, params } = call
  const key = form.optionalText('key')
  const certificate = form.text('certificate').trim()
  const saved = await submit(
    client.pages.domains.update({
      projectId: projectPath(call),
      domain: params.domain ?? '',
      certificate,
      ...((key !== undefined || certificate === '') && { key: key ?? '' }),
    }),
    fieldIds(formName, names),
  )
  if (saved.ok) return redirect(settingsAddress(projectPath(call), 'pages'))
  return domainEdit(call, { name: formName, form, formErrors: saved.formErrors })
}

/** `POST /<project>/-/pages/domains/:domain/delete`. */
export async function deleteDomain(call: PageCall): Promise<Reply> {
  const domain = call.params.domain ?? ''
  await call.client.pages.domains.delete({ projectId: projectPath(call), domain })
  return redirect(settingsAddress(projectPath(call), 'pages'))
}
