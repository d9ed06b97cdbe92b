import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { type RefPage, refPages } from '../revisions/ref-menu.ts'

/** Names that are listed; others are found by searching. */
const maxNames = 50

/** `GET /<project>/-/refs`: branches and tags, each a link to what the viewer came from. */
export async function showRefs(call: PageCall): Promise<Reply> {
  const { client, params, query } = call
  const projectId = params.project ?? ''
  const search = query.get('search') ?? ''
  const found = { projectId, search, per_page: maxNames }
  const [project, branches, tags] = await loadAll([
    loadProject(call),
    client.branches.list({ ...found, sort: 'updated_desc' }),
    client.tags.list(found),
  ])
  const target = { page: pageOf(query), path: query.get('path') ?? '' }
  const link = (name: string) => refAddress(projectId, name, target)
  const branchRows = branches.items.map(({ name, commit }) =>
    row({
      start: icon('git-branch'),
      title: html`<a class="title" href="${link(name)}">${name}</a>`,
      end: timeAgo(commit.committed_date, call.now),
    }),
  )
  const tagRows = tags.items.map(({ name, commit }) =>
    row({
      start: icon('tag'),
      title: html`<a class="title" href="${link(name)}">${name}</a>`,
      ...(commit === null ? {} : { end: timeAgo(commit.committed_date, call.now) }),
    }),
  )
  return page({
    title: `Branches and tags · ${projectId}`,
    place: projectPlace(project, 'branches'),
    body: html`${heading('Branches and tags')}${searchForm(call, search, target)}
${list('Branches', branchRows)}
${list('Tags', tagRows)}`,
  })
}

function pageOf(query: URLSearchParams): RefPage {
  return refPages.find((name) => name === query.get('page_of')) ?? 'tree'
}

interface Target {
  page: RefPage
  path: string
}

function refAddress(project: string, ref: string, { page, path }: Target): string {
  return projectAddress(project, page, ref, ...(path === '' ? [] : [path]))
}

function searchForm({ params }: PageCall, search: string, { page, path }: Target): Html {
  return html`<form action="${projectAddress(params.project ?? '', 'refs')}" role="search"><input type="hidden" name="page_of" value="${page}"><input type="hidden" name="path" value="${path}">
${textField({ id: 'search', label: 'Name', type: 'search', value: search, hint: '^ stands for the start of the name, $ for its end.' })}<div class="buttons"><button>Search</button>${buttonLink(`?page_of=${page}`, 'Show all', 'quiet')}</div></form>`
}

function list(title: string, items: readonly Html[]): Html {
  const body = items.length === 0 ? emptyState({ title: 'None found' }) : rows(items)
  const isCut = items.length === maxNames
  return html`${card({ title, isFlush: true, body })}${isCut && html`<p class="muted">The first ${maxNames}. Search for others.</p>`}`
}
