import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { textField } from '../../platform/design/form-fields.ts'
import { heading } from '../../platform/design/heading.ts'
import { icon } from '../../platform/design/icon.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { plural } from '../../platform/text/numbers.ts'
import { locate } from '../revisions/code-target.ts'
import { refMenu } from '../revisions/ref-menu.ts'

/** Files that are searched: of a larger repository, the first in git's order. */
const maxFiles = 3000
const perPage = 100
/** Files that are listed. */
const maxShown = 100

/** `GET /<project>/-/find_file/<ref>`: files by a part of their path. */
export async function showFindFile(call: PageCall): Promise<Reply> {
  const { params, query } = call
  const projectId = params.project ?? ''
  const search = (query.get('search') ?? '').trim()
  const [project, { ref, found }] = await Promise.all([
    loadProject(call),
    locate(call, params.target ?? '', ({ ref }) => findPaths(call, ref, search)),
  ])
  const items = found.paths.slice(0, maxShown).map((path) =>
    row({
      start: icon('file'),
      title: html`<a href="${projectAddress(projectId, 'blob', ref, path)}">${path}</a>`,
    }),
  )
  const empty = emptyState({ title: search === '' ? 'Type a part of a path' : 'No such files' })
  const more =
    found.paths.length > maxShown && `Of ${plural(found.paths.length, 'file')}, the first.`
  const part = found.isCut && `Only the first ${maxFiles} files and folders were searched.`
  return page({
    title: `Find file · ${projectId}`,
    place: projectPlace(project, 'code'),
    body: html`${heading('Find file')}<div class="toolbar">${refMenu({ project: projectId, page: 'find_file', ref, path: '' })}</div>
<form role="search">${textField({ id: 'search', label: 'Part of the path', type: 'search', value: search })}<div class="buttons"><button class="primary">Search files</button></div></form>
${card({ isFlush: true, body: items.length === 0 ? empty : rows(items) })}
<p class="muted">${more} ${part}</p>`,
  })
}

async function findPaths({ client, params }: PageCall, ref: string, search: string) {
  const list = client.repository.tree({
    ...{ projectId: params.project ?? '', ref, recursive: true, per_page: perPage },
  })
  const first = await list
  if (search === '') return { paths: [], isCut: false }
  const last = Math.min(first.totalPages ?? 1, maxFiles / perPage)
  const numbers = Array.from({ length: Math.max(last - 1, 0) }, (_, at) => at + 2)
  const others = await Promise.all(
    numbers.map((number) =>
      client.repository.tree({
        ...{ projectId: params.project ?? '', ref, recursive: true, per_page: perPage },
        page: number,
      }),
    ),
  )
  const term = search.toLowerCase()
  const all = [first, ...others].flatMap(({ items }) => items)
  const paths = all
    .filter(({ type, path }) => type === 'blob' && path.toLowerCase().includes(term))
    .map(({ path }) => path)
  return { paths, isCut: (first.totalPages ?? 1) > last }
}
