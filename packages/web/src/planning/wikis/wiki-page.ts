import { AccessLevel, type Project, type WikiPage } from '@stithy/core'
import { accessLevel, loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { asideSection, card, columns, emptyState, notice } from '../../platform/design/card.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { heading } from '../../platform/design/heading.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { ifPermitted, isMissing } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { renderLongText } from '../../platform/pages/long-texts.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { textPage } from '../../platform/pages/text-page.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { projectRights } from '../items/project-rights.ts'
import { showWikiForm } from './wiki-form-page.ts'
import { historyEnding, showWikiHistory, versionParameter } from './wiki-history-page.ts'
import {
  homeSlug,
  listWikiPages,
  sidebarSlug,
  type WikiPages,
  wikiPageLinks,
} from './wiki-page-list.ts'

/** `GET /<project>/-/wikis`: leads to the first page. */
export async function showWikiHome(call: PageCall): Promise<Reply> {
  return redirect(projectAddress(projectPath(call), 'wikis', homeSlug))
}

/** `GET /<project>/-/wikis/<slug>`, and below it `/edit` and `/history`. */
export async function showWikiPage(call: PageCall): Promise<Reply> {
  const { project = '', slug = '' } = call.params
  if (slug === '') return showWikiHome(call)
  if (slug.endsWith('/edit')) {
    const edited = slug.slice(0, -'/edit'.length)
    const mayUpdate = () => call.permits.wikis.update({ projectId: project, slug: edited })
    const show = async () => {
      const page = await loadPage(call, edited)
      return isText(page)
        ? showWikiForm(call, { page })
        : redirect(projectAddress(project, 'wikis', edited))
    }
    return permitted(mayUpdate, show)(call)
  }
  if (call.query.has(rawParameter)) return showWikiText(call)
  if (!slug.endsWith(historyEnding)) return viewPage(call, project, slug)
  // A page may be called so.
  return viewPage(call, project, slug).catch((error: unknown) => {
    if (!isMissing(error)) throw error
    return showWikiHistory(call, slug.slice(0, -historyEnding.length))
  })
}

const showWikiText = textPage(
  async (call) => (await loadPage(call, call.params.slug ?? '')).content,
)

/** A page, as of the commit that the address names. */
function loadPage({ client, params, query }: PageCall, slug: string): Promise<WikiPage> {
  const version = query.get(versionParameter) ?? undefined
  return client.wikis.show({ projectId: params.project ?? '', slug, version })
}

async function viewPage(call: PageCall, projectId: string, slug: string): Promise<Reply> {
  const [project, viewer, found, sidebar, pages] = await loadAll([
    loadProject(call),
    call.viewer(),
    ifPermitted(loadPage(call, slug)),
    ifPermitted(call.client.wikis.show({ projectId, slug: sidebarSlug })),
    listWikiPages(call),
  ])
  const { maySpeak, mayManage } = projectRights(project, viewer)
  const mayWrite =
    mayManage || (maySpeak && accessLevel(project.permissions) >= AccessLevel.developer)
  if (found === undefined) {
    if (slug !== homeSlug || call.query.has(versionParameter)) throw missing()
    return emptyWiki(project, pages, mayWrite)
  }
  const [body, side] = await loadAll([
    renderPage(call, projectId, found),
    sidebar === undefined ? undefined : renderPage(call, projectId, sidebar),
  ])
  const aside = html`${side !== undefined && asideSection('Contents', side)}${wikiPageLinks(projectId, pages, slug)}${cloneSection(project)}`
  return page({
    title: `${found.title} · Wiki · ${projectId}`,
    place: projectPlace(project, 'wikis'),
    body: html`${heading(found.title, wikiButtons(call, projectId, { ...found, slug }, { mayWrite, mayManage }))}
${versionNotice(call, projectId, slug)}
${columns(card({ body }), aside)}`,
  })
}

/** Whether a page has a text: what is binary has a NUL character, which no text may have. */
function isText({ content }: WikiPage): boolean {
  return !content.includes('\0')
}

/** Markdown is rendered, other formats are shown as they are; what is very long is cut. */
async function renderPage(
  { client, query }: PageCall,
  project: string,
  wikiPage: WikiPage,
): Promise<Html> {
  const { content, format, slug } = wikiPage
  const version = query.get(versionParameter) ?? undefined
  const asked = { [rawParameter]: 1, [versionParameter]: version }
  const whole = withQuery(projectAddress(project, 'wikis', slug), asked)
  if (!isText(wikiPage)) {
    return html`<p>This page is not text. <a href="${whole}">See it as UTF-8</a>, or clone the wiki.</p>`
  }
  const long = { text: content, whole }
  return format === 'markdown'
    ? renderLongText(long, {
        markdown: (text) => client.markdown.render({ text, gfm: true, project, wiki: slug }),
      })
    : renderLongText(long, {
        plain: (text) => html`<pre class="scroll" tabindex="0">${text}</pre>`,
      })
}

/** What asks for a page as it was written. */
const rawParameter = 'raw'

function wikiButtons(
  call: PageCall,
  project: string,
  wikiPage: WikiPage,
  { mayWrite, mayManage }: { mayWrite: boolean; mayManage: boolean },
): Html[] {
  const { slug, title } = wikiPage
  const own = projectAddress(project, 'wikis', slug)
  const history = buttonLink(`${own}${historyEnding}`, 'History')
  if (!mayWrite || call.query.has(versionParameter)) return [history]
  const remove = confirmation(call, {
    action: own,
    text: 'Delete',
    button: 'Delete page',
    question: `Delete ${title}?`,
    values: { do: 'delete' },
    look: 'danger',
  })
  return [
    history,
    ...(isText(wikiPage) ? [buttonLink(`${own}/edit`, 'Edit')] : []),
    ...(mayManage ? [remove] : []),
    buttonLink(projectAddress(project, 'wikis', 'new'), 'New page', 'primary'),
  ]
}

/** Says that a page is shown as it was, and leads to the newest. */
function versionNotice({ query }: PageCall, project: string, slug: string): Html | undefined {
  const version = query.get(versionParameter)
  if (version === null) return undefined
  const newest = projectAddress(project, 'wikis', slug)
  return notice(
    html`The page as of <span class="mono">${version.slice(0, 8)}</span>. <a href="${newest}">Show the newest version</a>`,
  )
}

/** The addresses of the repository of the wiki. */
function cloneSection({ http_url_to_repo: http, ssh_url_to_repo: ssh }: Project): Html {
  const addresses = [http, ssh].filter((url) => url !== '').map(wikiRepository)
  return asideSection(
    'Clone',
    html`${addresses.map((url) => html`<p><code tabindex="0">git clone ${url}</code></p>`)}`,
  )
}

function wikiRepository(url: string): string {
  return url.endsWith('.git') ? `${url.slice(0, -4)}.wiki.git` : `${url}.wiki.git`
}

function emptyWiki(project: Project, pages: WikiPages, mayWrite: boolean): Reply {
  const path = project.path_with_namespace
  const action = mayWrite
    ? buttonLink(
        `${projectAddress(path, 'wikis', 'new')}?title=${homeSlug}`,
        'Write the first page',
        'primary',
      )
    : undefined
  return page({
    title: `Wiki · ${path}`,
    place: projectPlace(project, 'wikis'),
    body: html`${heading('Wiki')}${card({
      body: emptyState({
        title: pages?.length === 0 ? 'No pages yet' : 'No page is called home',
        text:
          pages?.length === 0
            ? 'A wiki keeps what a project should know, as files of a repository of its own.'
            : html`See <a href="${projectAddress(path, 'wikis', 'pages')}">all pages</a>.`,
        action,
      }),
    })}`,
  })
}
