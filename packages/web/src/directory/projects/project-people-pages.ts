import { avatar } from '../../platform/design/avatar.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { filterForm } from '../../platform/design/filter-form.ts'
import { heading } from '../../platform/design/heading.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { address, projectAddress } from '../../platform/text/addresses.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { loadProject, projectPlace } from './project-place.ts'
import { projectRows } from './project-row.ts'
import { orderParameters, projectOrder, projectOrderOptions } from './project-sorting.ts'

/** `GET /<project>/-/starrers`: who has starred it. */
export async function showStarrers(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const projectId = projectPath(call)
  const search = query.get('search') ?? ''
  const [project, starrers] = await loadAll([
    loadProject(call),
    client.projects.starrers.list({
      projectId,
      ...pageNumber(query),
      ...(search === '' ? {} : { search }),
    }),
  ])
  const self = projectAddress(project.path_with_namespace, 'starrers')
  const items = starrers.items.map(({ user, starred_since: since }) =>
    row({
      start: avatar(user),
      title: html`<a class="title" href="${address(user.username)}">${user.name}</a> <span class="muted">@${user.username}</span>`,
      end: html`starred ${timeAgo(since, call.now)}`,
    }),
  )
  return page({
    title: `Starrers · ${project.path_with_namespace}`,
    place: projectPlace(project, 'code'),
    body: html`${heading('Starred by')}
${filterForm({
  action: self,
  label: 'Filter starrers',
  search: { name: 'search', value: search, placeholder: 'Find by name or username' },
})}
${card({ body: items.length === 0 ? emptyState({ title: 'Nobody yet' }) : rows(items), isFlush: true })}
${pagination(starrers, self, query)}`,
  })
}

/** `GET /<project>/-/forks`: the forks that the viewer may see. */
export async function showForks(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const projectId = projectPath(call)
  const search = query.get('search') ?? ''
  const [project, forks] = await loadAll([
    loadProject(call),
    client.projects.forks.list({
      projectId,
      ...pageNumber(query),
      ...orderParameters(projectOrder(query)),
      ...(search === '' ? {} : { search }),
    }),
  ])
  const path = project.path_with_namespace
  const self = projectAddress(path, 'forks')
  const fork = buttonLink(projectAddress(path, 'forks', 'new'), 'Fork', 'primary')
  const list =
    forks.items.length === 0
      ? emptyState({ title: 'No forks', text: 'Fork the project to propose changes to it.' })
      : projectRows(forks.items, call.now)
  return page({
    title: `Forks · ${path}`,
    place: projectPlace(project, 'code'),
    body: html`${heading('Forks', call.csrfToken === '' ? undefined : fork)}
${filterForm({
  action: self,
  label: 'Filter forks',
  search: { name: 'search', value: search },
  choices: [
    { name: 'sort', label: 'Order', options: projectOrderOptions, value: projectOrder(query) },
  ],
})}
${card({ body: list, isFlush: true })}
${pagination(forks, self, query)}`,
  })
}
