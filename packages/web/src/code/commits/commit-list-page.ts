import type { Commit } from '@stithy/core'
import { loadProject, projectPlace } from '../../directory/projects/project-place.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { rows } from '../../platform/design/lists.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { missing } from '../../platform/pages/refusal.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { projectAddress } from '../../platform/text/addresses.ts'
import { shortDay } from '../../platform/text/time.ts'
import { type CodeTarget, locate } from '../revisions/code-target.ts'
import { pathCrumbs } from '../revisions/path-crumbs.ts'
import { refMenu } from '../revisions/ref-menu.ts'
import { commitRow } from './commit-view.ts'

/** `GET /<project>/-/commits`: those of the default branch. */
export async function showDefaultCommits(call: PageCall): Promise<Reply> {
  const project = await loadProject(call)
  const path = project.path_with_namespace
  if (project.default_branch) {
    return redirect(projectAddress(path, 'commits', project.default_branch))
  }
  const empty = emptyState({ title: 'No commits yet', text: 'Push some to see them here.' })
  return page({
    title: `Commits · ${path}`,
    place: projectPlace(project, 'commits'),
    body: html`${heading('Commits')}${card({ body: empty })}`,
  })
}

/** `GET /<project>/-/commits/<ref>/<path>`: the history, or that of a file or folder, by day. */
export async function showCommits(call: PageCall): Promise<Reply> {
  const { params, query } = call
  if ((params.target ?? '') === '') return showDefaultCommits(call)
  const [project, { ref, path, found }] = await loadAll([
    loadProject(call),
    locate(call, params.target ?? '', (target) => readCommits(call, target)),
  ])
  const fullPath = project.path_with_namespace
  const self = projectAddress(fullPath, 'commits', ref, ...(path === '' ? [] : [path]))
  const list =
    found.items.length === 0
      ? card({ body: emptyState({ title: 'No commits found' }) })
      : html`${byDay(found.items, fullPath, call.now)}`
  return page({
    title: `Commits · ${path === '' ? ref : path} · ${fullPath}`,
    place: projectPlace(project, 'commits'),
    body: html`${heading('Commits', commitLinks(fullPath, ref))}
<div class="toolbar">${refMenu({ project: fullPath, page: 'commits', ref, path })}${pathCrumbs(fullPath, { ref, path })}${searchForm(self, query)}</div>
${list}
${pagination(found, self, query)}`,
  })
}

/** Unknown refs and paths have no commits: the API doesn't tell them from empty ones. */
async function readCommits({ client, params, query }: PageCall, { ref, path }: CodeTarget) {
  const projectId = params.project ?? ''
  const search = (query.get('search') ?? '').trim()
  const commits = await (search === ''
    ? client.commits.list({ projectId, ref_name: ref, path, ...pageNumber(query) })
    : client.search.list({ projectId, scope: 'commits', search, ref, ...pageNumber(query) }))
  if (search === '' && commits.total === 0) throw missing()
  return { ...commits, items: commits.items as Commit[] }
}

function searchForm(self: string, query: URLSearchParams): Html {
  return html`<form class="end" action="${self}" role="search" aria-label="Search messages"><input type="search" name="search" value="${query.get('search')}" aria-label="Search messages" placeholder="Search messages"><button>Search</button></form>`
}

function commitLinks(project: string, ref: string): Html[] {
  return [
    buttonLink(projectAddress(project, 'graphs', ref), 'Contributors'),
    buttonLink(projectAddress(project, 'network', ref), 'Graph'),
    buttonLink(projectAddress(project, 'compare'), 'Compare'),
  ]
}

function byDay(commits: readonly Commit[], project: string, now: number): Html[] {
  const days = Map.groupBy(commits, ({ committed_date: date }) =>
    new Date(date).toISOString().slice(0, 10),
  )
  return [...days].map(([day, items]) =>
    card({
      title: shortDay(day),
      isFlush: true,
      body: rows(items.map((commit) => commitRow(commit, project, now))),
    }),
  )
}
