import type { Group, Project } from '@stithy/core'
import { pictured, squareAvatar } from '../../platform/design/avatar.ts'
import { badge } from '../../platform/design/badge.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { dataTable } from '../../platform/design/data-table.ts'
import { filterForm } from '../../platform/design/filter-form.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import type { Reply } from '../../platform/pages/reply.ts'
import { address, groupAddress, projectAddress } from '../../platform/text/addresses.ts'
import { formatSize } from '../../platform/text/numbers.ts'
import { timeAgo } from '../../platform/text/time.ts'
import { type AdminArea, adminAddress, adminPage } from './admin-page.ts'
import { perPage, searchOf } from './list-query.ts'

/** `GET /admin/projects`: all projects, with what they take on the disk. */
export async function showProjects(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const projects = await client.projects.list({ ...filterOf(query), statistics: true })
  const list =
    projects.items.length === 0
      ? emptyState({ title: 'No project was found' })
      : dataTable({
          label: 'Projects',
          columns: [
            { text: 'Project' },
            { text: 'Visibility' },
            { text: 'Storage', kind: 'number' },
            { text: 'Last activity' },
            { text: 'Actions', kind: 'actions' },
          ],
          rows: projects.items.map((project) => projectRow(project, call.now)),
        })
  return listPage(call, {
    area: 'projects',
    placeholder: 'Name, path or description',
    create: buttonLink('/projects/new', 'New project', 'primary'),
    list,
    pages: pagination(projects, adminAddress('projects'), query),
  })
}

function projectRow(project: Project, now: number) {
  const path = project.path_with_namespace
  return [
    html`${pictured(address(path), squareAvatar(project, 'small'), path)}${project.archived === true && html` ${badge('archived', 'warning')}`}`,
    project.visibility,
    formatSize(project.statistics?.storage_size ?? 0),
    timeAgo(project.last_activity_at, now),
    html`<a href="${projectAddress(path, 'edit')}" aria-label="Settings of ${path}">Settings</a>`,
  ]
}

/** `GET /admin/groups`: all groups, with what their projects take on the disk. */
export async function showGroups(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const filter = { ...filterOf(query), all_available: true, statistics: true }
  const groups = await client.groups.list(filter)
  const list =
    groups.items.length === 0
      ? emptyState({ title: 'No group was found' })
      : dataTable({
          label: 'Groups',
          columns: [
            { text: 'Group' },
            { text: 'Visibility' },
            { text: 'Storage', kind: 'number' },
            { text: 'Actions', kind: 'actions' },
          ],
          rows: groups.items.map(groupRow),
        })
  return listPage(call, {
    area: 'groups',
    placeholder: 'Name or path',
    create: buttonLink('/groups/new', 'New group', 'primary'),
    list,
    pages: pagination(groups, adminAddress('groups'), query),
  })
}

function groupRow(group: Group) {
  const path = group.full_path
  return [
    pictured(address(path), squareAvatar(group, 'small'), path),
    group.visibility,
    formatSize(group.statistics?.storage_size ?? 0),
    html`<a href="${groupAddress(path, 'edit')}" aria-label="Settings of ${path}">Settings</a>`,
  ]
}

function filterOf(query: URLSearchParams) {
  const search = searchOf(query)
  return { per_page: perPage, ...pageNumber(query), ...(search !== undefined && { search }) }
}

interface ListPage {
  area: AdminArea & ('projects' | 'groups')
  placeholder: string
  create: Html
  list: Html
  pages: Html | undefined
}

function listPage(
  { query }: PageCall,
  { area, placeholder, create, list, pages }: ListPage,
): Reply {
  const value = searchOf(query) ?? ''
  return adminPage({
    area,
    end: create,
    body: html`${filterForm({ action: adminAddress(area), label: `Filter ${area}`, search: { name: 'search', value, placeholder } })}
${card({ body: list, isFlush: true })}
${pages}`,
  })
}
