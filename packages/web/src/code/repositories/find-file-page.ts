import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { locate } from '../revisions/code-target.ts'
import { refMenu } from '../revisions/ref-menu.ts'

/** `GET /<project>/-/find_file/<ref>`: files by a part of their path. */
export async function showFindFile(call: PageCall): Promise<Reply> {
  const { params, query } = call
  const projectId = params.project ?? ''
  const search = (query.get('search') ?? '').trim()
  const [project, { ref, found }] = await loadAll([
    loadProject(call),
    locate(call, params.target ?? '', ({ ref }) => findFiles(call, ref, search)),
  ])
  const files = search === '' ? [] : found.items
  const items = files.map(({ path }) =>
    row({
      start: icon('file'),
      title: html`<a href="${projectAddress(projectId, 'blob', ref, path)}">${path}</a>`,
    }),
  )
  const empty = emptyState({ title: search === '' ? 'Type a part of a path' : 'No such files' })
  return page({
    title: `Find file · ${projectId}`,
    place: projectPlace(project, 'code'),
    body: html`${heading('Find file')}<div class="toolbar">${refMenu({ project: projectId, page: 'find_file', ref, path: '' })}</div>
<form role="search" aria-label="Find file">${textField({ id: 'search', label: 'Part of the path', type: 'search', value: search })}<div class="buttons"><button class="primary">Search files</button></div></form>
${card({ isFlush: true, body: items.length === 0 ? empty : rows(items) })}
${search !== '' && pagination(found, projectAddress(projectId, 'find_file', ref), query)}`,
  })
}

/** A folder that is searched for nothing tells whether the ref exists. */
function findFiles({ client, params, query }: PageCall, ref: string, search: string) {
  const projectId = params.project ?? ''
  return search === ''
    ? client.repository.tree({ projectId, ref, per_page: 1 })
    : client.repository.tree({ projectId, ref, search, per_page: 100, ...pageNumber(query) })
}
