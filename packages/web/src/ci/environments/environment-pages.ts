import {
  AccessLevel,
  type Deployment,
  type Environment,
  environmentStates,
  type Project,
} from '@stithy/core'
import {
  accessLevel,
  isManager,
  loadProject,
  projectPlace,
} from '../../directory/projects/project-place.ts'
import { person } from '../../platform/design/avatar.ts'
import { type BadgeKind, badge } from '../../platform/design/badge.ts'
import { actionButton } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { errorSummary } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination, tabs } from '../../platform/design/navigation.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { environmentForm } from './environment-form.ts'

const stateTexts = { available: 'Available', stopped: 'Stopped' } as const

/** `GET /<project>/-/environments`. */
export function showEnvironments(call: PageCall): Promise<Reply> {
  return environmentList(call)
}

/** The list, also after the form of a new one was refused. */
export async function environmentList(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const { client, query, params } = call
  const projectId = params.project ?? ''
  const state = environmentStates.find((each) => each === query.get('states')) ?? 'available'
  const [project, environments] = await loadAll([
    loadProject(call),
    client.environments.list({ projectId, states: state, ...pageNumber(query) }),
  ])
  const self = projectAddress(projectId, 'environments')
  const filters = environmentStates.map((value) => ({
    text: stateTexts[value],
    href: withQuery(self, { states: value }),
    isCurrent: value === state,
  }))
  const list =
    environments.items.length === 0
      ? emptyState({
          title: `No ${state} environments`,
          text: 'An environment is a place that the project is deployed to, such as production.',
        })
      : dataTable({
          label: 'Environments',
          columns: [{ text: 'Name' }, { text: 'Address' }, { text: 'State' }],
          rows: environments.items.map((each) => environmentRow(self, each)),
        })
  return page({
    status: failed === undefined ? 200 : 422,
    title: `Environments · ${projectId}`,
    place: projectPlace(project, 'environments'),
    body: html`${heading('Environments')}${errorSummary(failed?.formErrors ?? [])}
${tabs('States', filters)}
${card({ body: list, isFlush: true })}
${pagination(environments, self, query)}
${mayCreate(project) && card({ title: 'New environment', body: environmentForm(call, { action: self, button: 'Create environment', failed }) })}`,
  })
}

function environmentRow(self: string, { id, name, external_url: url, state }: Environment) {
  return [
    html`<a class="strong" href="${self}/${id}">${name}</a>`,
    url === null ? undefined : externalLink(url),
    badge(stateTexts[state], state === 'available' ? 'good' : ''),
  ]
}

/** Only addresses of the web become links; the API takes no others. */
function externalLink(url: string): Html {
  return /^https?:\/\//.test(url)
    ? html`<a href="${url}" rel="noopener noreferrer nofollow">${url}</a>`
    : html`${url}`
}

function mayCreate(project: Project): boolean {
  if (project.archived === true) return false
  return isManager(project) || accessLevel(project.permissions) >= AccessLevel.developer
}

const statusKinds: Readonly<Record<string, BadgeKind>> = {
  success: 'good',
  failed: 'danger',
  running: 'warning',
}

/** `GET /<project>/-/environments/:id`: its deployments. */
export function showEnvironment(call: PageCall): Promise<Reply> {
  return environmentPage(call)
}

/** The page, also after a form of it was refused. */
export async function environmentPage(call: PageCall, failed?: FailedForm): Promise<Reply> {
  const { client, query, params } = call
  const projectId = params.project ?? ''
  const environmentId = rowId(call)
  const [project, environment] = await loadAll([
    loadProject(call),
    client.environments.show({ projectId, environmentId }),
  ])
  const deployments = await client.deployments.list({
    projectId,
    environment: environment.name,
    sort: 'desc',
    ...pageNumber(query),
  })
  const self = projectAddress(projectId, 'environments', environmentId)
  const url = environment.external_url
  return page({
    status: failed === undefined ? 200 : 422,
    title: `${environment.name} · Environments · ${projectId}`,
    place: projectPlace(project, 'environments'),
    body: html`${heading(environment.name)}${errorSummary(failed?.formErrors ?? [])}
<p class="row">${badge(stateTexts[environment.state], environment.state === 'available' ? 'good' : '')}${url !== null && externalLink(url)}</p>
${card({ title: 'Deployments', body: deploymentTable(call, projectId, deployments.items), isFlush: true })}
${pagination(deployments, self, query)}
${isManager(project) && project.archived !== true && card({ title: 'Settings', body: html`${environmentForm(call, { action: self, button: 'Save environment', environment, failed })}<hr>${actions(call, environment, self)}` })}`,
  })
}

function actions(call: PageCall, { name, state }: Environment, self: string): Html {
  return html`<div class="row">${state === 'available' && actionButton(call, { action: `${self}/stop`, text: 'Stop environment' })}
${confirmation(call, { action: `${self}/delete`, text: 'Delete environment', look: 'danger', question: `${name} is deleted with its deployments.` })}</div>`
}

function deploymentTable(
  call: PageCall,
  project: string,
  deployments: readonly Deployment[],
): Html {
  if (deployments.length === 0) {
    return emptyState({
      title: 'No deployments yet',
      text: html`<code>POST /api/v4/projects/:id/deployments</code> reports one.`,
    })
  }
  return dataTable({
    label: 'Deployments',
    columns: [
      { text: 'Number' },
      { text: 'Status' },
      { text: 'Commit' },
      { text: 'Branch or tag' },
      { text: 'By' },
      { text: 'Created' },
    ],
    rows: deployments.map(({ iid, status, sha, ref, user, created_at }) => [
      `#${iid}`,
      badge(status, statusKinds[status] ?? ''),
      html`<a href="${projectAddress(project, 'commit', sha)}"><code>${sha.slice(0, 8)}</code></a>`,
      ref,
      user === null ? undefined : person(user),
      timeAgo(created_at, call.now),
    ]),
  })
}
