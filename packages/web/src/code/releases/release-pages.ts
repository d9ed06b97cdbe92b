import { AccessLevel, type Project, type Release } from '@stithy/core'
import { changeLevel, loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { refTabs } from '../revisions/ref-tabs.ts'
import { type ReleaseFormState, releaseForm } from './release-form.ts'
import { releaseCard } from './release-view.ts'

/** `GET /<project>/-/releases`. */
export async function showReleases(call: PageCall): Promise<Reply> {
  const { client, params, query } = call
  const projectId = params.project ?? ''
  const [project, releases] = await loadAll([
    loadProject(call),
    client.releases.list({ projectId, ...pageNumber(query) }),
  ])
  const self = projectAddress(projectId, 'releases')
  const mayWrite = changeLevel(project) >= AccessLevel.developer
  const create = mayWrite ? buttonLink(`${self}/new`, 'New release', 'primary') : undefined
  const list = releases.items.map((release) =>
    releaseCard(release, projectId, call.now, mayWrite ? editLink(projectId, release) : undefined),
  )
  const empty = emptyState({
    title: 'No releases yet',
    text: 'A release is a tag with notes and files.',
    action: create,
  })
  return page({
    title: `Releases · ${projectId}`,
    place: projectPlace(project, 'branches'),
    body: html`${heading('Releases', create ?? [])}${refTabs(projectId, 'releases')}
${list.length === 0 ? card({ body: empty }) : list}
${pagination(releases, self, query)}`,
  })
}

function editLink(project: string, { tag_name: tag = '', name }: Release): Html {
  const href = projectAddress(project, 'releases', tag, 'edit')
  return html`<a href="${href}" aria-label="Edit ${name}">Edit</a>`
}

/** `GET /<project>/-/releases/<tag>`, and `/edit` below it; a tag may have slashes. */
export async function showRelease(call: PageCall): Promise<Reply> {
  const { client, params } = call
  const projectId = params.project ?? ''
  const target = params.target ?? ''
  const tag = target.replace(/\/edit$/, '')
  if (tag !== target) {
    const mayUpdate = () => call.permits.releases.update({ projectId, tagName: tag })
    return permitted(mayUpdate, () => editPage(call, tag, {}))(call)
  }
  const [project, release] = await loadAll([
    loadProject(call),
    client.releases.show({ projectId, tagName: tag }),
  ])
  const mayWrite = changeLevel(project) >= AccessLevel.developer
  return page({
    title: `${release.name} · ${projectId}`,
    place: projectPlace(project, 'branches'),
    body: html`${heading(release.name, mayWrite ? buttonLink(projectAddress(projectId, 'releases', tag, 'edit'), 'Edit') : [])}
${releaseCard(release, projectId, call.now)}`,
  })
}

/** `GET /<project>/-/releases/new`. */
export function showNewRelease(call: PageCall): Promise<Reply> {
  return newPage(call, {})
}

export async function newPage(call: PageCall, state: ReleaseFormState): Promise<Reply> {
  const project = await loadProject(call)
  return formPage(call, project, 'New release', state)
}

export async function editPage(
  call: PageCall,
  tag: string,
  state: ReleaseFormState,
): Promise<Reply> {
  const projectId = projectPath(call)
  const [project, release] = await loadAll([
    loadProject(call),
    call.client.releases.show({ projectId, tagName: tag }),
  ])
  return formPage(call, project, `Edit ${release.name}`, { ...state, release })
}

function formPage(call: PageCall, project: Project, title: string, state: ReleaseFormState): Reply {
  const { formErrors = [] } = state
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `${title} · ${project.path_with_namespace}`,
    place: projectPlace(project, 'branches'),
    body: html`${heading(title)}${releaseForm(call, project, state)}`,
  })
}
