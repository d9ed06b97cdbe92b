import type { Page } from '@stithy/client'
import type { Project } from '@stithy/core'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { filterForm } from '../../platform/design/filter-form.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination, tabs } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { signInAddress } from '../../platform/pages/sign-in-address.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import { projectRows } from './project-row.ts'
import { orderParameters, projectOrder, projectOrderOptions } from './project-sorting.ts'

/** One of the lists of projects. */
interface ProjectList {
  title: string
  tab: string
  path: string
  /** What makes it another list than those with the same path. */
  kept?: Readonly<Record<string, string>>
  /** Its projects, with the filters of the page. */
  load: (call: PageCall, filter: ListFilter) => Promise<Page<Project>>
  /** What to do if there is nothing. */
  empty: string
}

type ListFilter = ReturnType<typeof filterOf>

const yours: ProjectList = {
  title: 'Your projects',
  tab: 'Yours',
  path: '/dashboard/projects',
  load: ({ client }, filter) => client.projects.list({ ...filter, membership: true }),
  empty: 'Create a project, or ask somebody to add you to theirs.',
}

const starred: ProjectList = {
  title: 'Starred projects',
  tab: 'Starred',
  path: '/dashboard/projects/starred',
  load: ({ client }, filter) => client.projects.list({ ...filter, starred: true }),
  empty: 'Star a project on its page to find it here.',
}

const personal: ProjectList = {
  title: 'Personal projects',
  tab: 'Personal',
  path: '/dashboard/projects',
  kept: { personal: 'true' },
  load: async ({ client, viewer }, filter) =>
    client.projects.list({ ...filter, userId: (await viewer())?.username ?? '' }),
  empty: 'Create a project in your own namespace.',
}

const explored: ProjectList = {
  title: 'Explore projects',
  tab: 'Projects',
  path: '/explore',
  load: ({ client }, filter) => client.projects.list(filter),
  empty: 'There is nothing that you may see.',
}

/** `/explore`: all that the viewer may see. */
export function exploreProjects(call: PageCall): Promise<Reply> {
  return showProjects(call, explored)
}

/** `/projects`, `/dashboard/projects`: those that the viewer is a member of, or all personal ones. */
export function showOwnProjects(call: PageCall): Promise<Reply> {
  return showProjects(call, call.query.get('personal') === 'true' ? personal : yours)
}

/** `/dashboard/projects/starred`. */
export function showStarredProjects(call: PageCall): Promise<Reply> {
  return showProjects(call, starred)
}

async function showProjects(call: PageCall, list: ProjectList): Promise<Reply> {
  const isVisitor = call.csrfToken === ''
  if (isVisitor && list !== explored) return redirect(signInAddress(call))
  const { query } = call
  const found = await list.load(call, filterOf(query))
  const create = isVisitor ? undefined : buttonLink('/projects/new', 'New project', 'primary')
  return page({
    title: list.title,
    body: html`${heading(list.title, create)}
${list === explored ? exploreTabs('/explore') : ownTabs(list)}
${filters(list, query)}
${card({ body: items(found, list, call, create), isFlush: true })}
${pagination(found, list.path, query)}`,
  })
}

function items(found: Page<Project>, list: ProjectList, call: PageCall, create?: Html): Html {
  if (found.items.length > 0) return projectRows(found.items, call.now)
  const isFiltered = nameFilter(call.query) !== ''
  if (!isFiltered)
    return emptyState({ title: 'No projects here', text: list.empty, action: create })
  const text = html`<a href="${withQuery(list.path, list.kept ?? {})}">Show all of them</a>, or <a href="${withQuery('/search', { search: nameFilter(call.query), scope: 'projects' })}">search everything</a>.`
  return emptyState({ title: 'No project has such a name', text })
}

/** By name, by the name of the parameter that existing addresses have. */
function nameFilter(query: URLSearchParams): string {
  return query.get('name') ?? query.get('search') ?? ''
}

function filterOf(query: URLSearchParams) {
  const search = nameFilter(query)
  const archived = archivedFilter(query)
  return {
    ...pageNumber(query),
    ...orderParameters(projectOrder(query)),
    ...(search === '' ? {} : { search }),
    ...(archived === 'true' ? {} : { archived: archived === 'only' }),
  }
}

const archivedOptions = [
  { value: '', text: 'Without archived' },
  { value: 'true', text: 'With archived' },
  { value: 'only', text: 'Archived only' },
] as const

function archivedFilter(query: URLSearchParams): string {
  const value = query.get('archived') ?? ''
  return archivedOptions.some((option) => option.value === value) ? value : ''
}

function filters(list: ProjectList, query: URLSearchParams): Html {
  return filterForm({
    action: list.path,
    label: 'Filter projects',
    search: { name: 'name', value: nameFilter(query) },
    choices: [
      { name: 'sort', label: 'Order', options: projectOrderOptions, value: projectOrder(query) },
      {
        name: 'archived',
        label: 'Archived projects',
        options: archivedOptions,
        value: archivedFilter(query),
      },
    ],
    ...(list.kept === undefined ? {} : { kept: list.kept }),
  })
}

function ownTabs(current: ProjectList): Html {
  const items = [yours, starred, personal].map((list) => ({
    text: list.tab,
    href: withQuery(list.path, list.kept ?? {}),
    isCurrent: list === current,
  }))
  return tabs('Lists of projects', items)
}

/** The lists of what there is to see on the server. */
export function exploreTabs(current: '/explore' | '/explore/groups'): Html {
  return tabs('Explore', [
    { text: 'Projects', href: '/explore', isCurrent: current === '/explore' },
    { text: 'Groups', href: '/explore/groups', isCurrent: current === '/explore/groups' },
  ])
}
