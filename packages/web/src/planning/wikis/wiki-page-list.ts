import { StithyError } from '@stithy/client'
import type { ListedWikiPage } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { asideSection, card, emptyState } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress, withQuery } from '../../platform/text/addresses.ts'
import { formatCount } from '../../platform/text/numbers.ts'

/** The page that is shown first, and the one beside all others. */
export const homeSlug = 'home'
export const sidebarSlug = '_sidebar'

/** Pages that the side lists, and those of a page of the list. */
const beside = 30
const perPage = 100

/** All pages of a wiki by title; undefined for more than the API lists. */
export type WikiPages = readonly ListedWikiPage[] | undefined

export async function listWikiPages(call: PageCall): Promise<WikiPages> {
  try {
    return await call.client.wikis.list({ projectId: projectPath(call) })
  } catch (error) {
    if (error instanceof StithyError && error.status === 413) return undefined
    throw error
  }
}

/** What leads to other pages, beside one of them. */
export function wikiPageLinks(project: string, pages: WikiPages, current: string): Html {
  if (pages === undefined) return asideSection('Pages', tooMany(project))
  const own = pages.filter(({ slug }) => slug !== sidebarSlug)
  const items = own.slice(0, beside).map(({ slug }) => {
    const href = projectAddress(project, 'wikis', slug)
    return html`<li><a href="${href}"${slug === current && html` aria-current="page"`}>${slug}</a></li>`
  })
  const all = projectAddress(project, 'wikis', 'pages')
  const more = own.length > beside ? `All ${formatCount(own.length)} pages` : 'All pages'
  return asideSection(
    'Pages',
    html`<ul class="plain">${items}</ul><p><a href="${all}">${more}</a></p>`,
  )
}

function tooMany(project: string): Html {
  const search = withQuery(projectAddress(project, 'search'), { scope: 'wiki_blobs' })
  return html`<p>This wiki has too many pages to list them. <a href="${search}">Search them</a>, or clone the wiki.</p>`
}

/** `GET /<project>/-/wikis/pages`: all pages, a hundred at a time. */
export async function showWikiPages(call: PageCall): Promise<Reply> {
  const projectId = projectPath(call)
  const [project, pages] = await loadAll([loadProject(call), listWikiPages(call)])
  const home = buttonLink(projectAddress(projectId, 'wikis', homeSlug), 'First page')
  const list = pages === undefined ? undefined : pageOf(call, projectId, pages)
  return page({
    title: `Pages · Wiki · ${projectId}`,
    place: projectPlace(project, 'wikis'),
    body: html`${heading('Pages of the wiki', home)}${list ?? card({ body: tooMany(projectId) })}`,
  })
}

function pageOf({ query }: PageCall, project: string, pages: readonly ListedWikiPage[]): Html {
  if (pages.length === 0) return card({ body: emptyState({ title: 'No pages yet' }) })
  const totalPages = Math.ceil(pages.length / perPage)
  const current = Math.min(pageNumber(query).page ?? 1, totalPages)
  const items = pages.slice((current - 1) * perPage, current * perPage).map(({ slug, title }) => {
    const href = projectAddress(project, 'wikis', slug)
    return html`<li><div class="main"><a class="title" href="${href}">${title}</a><div class="details">${slug}</div></div></li>`
  })
  const position = {
    page: current,
    totalPages,
    prevPage: current > 1 ? current - 1 : null,
    nextPage: current < totalPages ? current + 1 : null,
  }
  const self = projectAddress(project, 'wikis', 'pages')
  return html`${card({ isFlush: true, body: html`<ul class="rows">${items}</ul>` })}${pagination(position, self, query)}`
}
