import { AccessLevel, type Project, type Release } from '@stithy/core'
import { changeLevel, loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { maxRead } from '../../platform/pages/long-texts.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { renderTexts } from '../../platform/pages/render-texts.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { textPage } from '../../platform/pages/text-page.ts'
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
    client.releases.list({
      projectId,
      ...withoutHtml,
      max_description_length: maxRead,
      ...pageNumber(query),
    }),
  ])
  const descriptions = await renderDescriptions(call, releases.items)
  const self = projectAddress(projectId, 'releases')
  const mayWrite = changeLevel(project) >= AccessLevel.developer
  const create = mayWrite ? buttonLink(`${self}/new`, 'New release', 'primary') : undefined
  const list = releases.items.map((release, at) => {
    const end = mayWrite ? editLink(projectId, release) : undefined
    return releaseCard(release, descriptions[at] ?? '', { project: projectId, now: call.now, end })
  })
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

/** Descriptions are rendered for pages, which show less of long ones. */
const withoutHtml = { include_html_description: false } as const

/** What pages show of descriptions, as HTML. */
function renderDescriptions(call: PageCall, releases: readonly Release[]): Promise<string[]> {
  const project = projectPath(call)
  const texts = releases.map(({ tag_name: tag, description: text }) =>
    tag === undefined ? { text } : { text, whole: descriptionAddress(project, tag) },
  )
  return renderTexts(call, texts, project)
}

function descriptionAddress(project: string, tag: string): string {
  return projectAddress(project, 'releases', tag, 'description')
}

/** `GET /<project>/-/releases/<tag>`, and `/edit` and `/description` below it; a tag may have slashes. */
export function showRelease(call: PageCall): Promise<Reply> {
  const projectId = projectPath(call)
  const [, tag = '', part] = /^(.*)\/(edit|description)$/.exec(call.params.target ?? '') ?? []
  if (part === 'edit') {
    const mayUpdate = () => call.permits.releases.update({ projectId, tagName: tag })
    return permitted(mayUpdate, () => editPage(call, tag, {}))(call)
  }
  if (part === 'description') {
    return textPage(async () => (await loadRelease(call, tag)).description)(call)
  }
  return releasePage(call)
}

function loadRelease(call: PageCall, tagName: string): PromiseLike<Release> {
  return call.client.releases.show({ projectId: projectPath(call), tagName, ...withoutHtml })
}

async function releasePage(call: PageCall): Promise<Reply> {
  const projectId = projectPath(call)
  const tag = call.params.target ?? ''
  const [project, release] = await loadAll([loadProject(call), loadRelease(call, tag)])
  const [description = ''] = await renderDescriptions(call, [release])
  const mayWrite = changeLevel(project) >= AccessLevel.developer
  return page({
    title: `${release.name} · ${projectId}`,
    place: projectPlace(project, 'branches'),
    body: html`${heading(release.name, mayWrite ? buttonLink(projectAddress(projectId, 'releases', tag, 'edit'), 'Edit') : [])}
${releaseCard(release, description, { project: projectId, now: call.now })}`,
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
  const [project, release] = await loadAll([loadProject(call), loadRelease(call, tag)])
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
