import type { Page } from '@stithy/client'
import { AccessLevel, type Group } from '@stithy/core'
import { squareAvatar } from '../../platform/design/avatar.ts'
import { actionButton, buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { filterForm } from '../../platform/design/filter-form.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { address, groupAddress, withQuery } from '../../platform/text/addresses.ts'
import { plural } from '../../platform/text/numbers.ts'
import { listTargetNamespaces } from '../namespaces/target-namespaces.ts'
import { projectRows } from '../projects/project-row.ts'
import { orderParameters, projectOrder, projectOrderOptions } from '../projects/project-sorting.ts'
import { groupPlace, loadGroup, type ViewedGroup } from './group-place.ts'
import { groupRows } from './group-row.ts'

/** Subgroups that the overview shows; the others have a page. */
const shownSubgroups = 10

/** `GET /<group>`: what the group has. */
export async function showGroup(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const groupId = call.params.group ?? ''
  const search = query.get('filter') ?? ''
  const [group, takesProjects, subgroups, projects] = await loadAll([
    loadGroup(call),
    mayCreateProject(call),
    client.groups.subgroups({ groupId, per_page: shownSubgroups }),
    client.projects.list({
      groupId,
      ...pageNumber(query),
      ...orderParameters(projectOrder(query)),
      ...(search === '' ? {} : { search }),
    }),
  ])
  const self = address(group.full_path)
  const list =
    projects.items.length === 0
      ? noProjects(search !== '', takesProjects && newProject(group))
      : projectRows(projects.items, call.now)
  return page({
    title: group.full_name,
    place: groupPlace(group, 'overview'),
    body: html`${heading(html`${squareAvatar(group, 'large')} ${group.name}`, actions(call, group, takesProjects))}
${group.description !== '' && html`<p>${group.description}</p>`}
${subgroups.items.length > 0 && subgroupsCard(group, subgroups)}
${filterForm({
  action: self,
  label: 'Filter projects',
  search: { name: 'filter', value: search, placeholder: 'Filter projects by name' },
  choices: [
    { name: 'sort', label: 'Order', options: projectOrderOptions, value: projectOrder(query) },
  ],
})}
${card({ title: 'Projects', body: list, isFlush: true })}
${pagination(projects, self, query)}`,
  })
}

/** What the viewer may begin here. */
function actions(call: PageCall, group: ViewedGroup, takesProjects: boolean): Html[] {
  const { accessLevel: level, full_path: path } = group
  const buttons: Html[] = []
  if (level === 0 && group.request_access_enabled && call.csrfToken !== '') {
    const action = groupAddress(path, 'group_members', 'request_access')
    buttons.push(actionButton(call, { action, text: 'Request access' }))
  }
  if (level >= AccessLevel.owner) {
    const href = withQuery('/groups/new', { parent_id: group.id })
    buttons.push(buttonLink(href, 'New subgroup'))
  }
  if (takesProjects) buttons.push(newProject(group))
  return buttons
}

/** Whether the viewer may create projects in the group, which a setting of the instance decides. */
async function mayCreateProject(call: PageCall): Promise<boolean> {
  if (call.csrfToken === '') return false
  const path = call.params.group ?? ''
  const namespaces = await listTargetNamespaces(call, path)
  return namespaces.some(({ full_path }) => full_path.toLowerCase() === path.toLowerCase())
}

function newProject({ id }: Group): Html {
  return buttonLink(withQuery('/projects/new', { namespace_id: id }), 'New project', 'primary')
}

function noProjects(isFiltered: boolean, action: Html | false): Html {
  if (isFiltered) return emptyState({ title: 'No project has such a name' })
  return action === false
    ? emptyState({ title: 'No projects yet' })
    : emptyState({
        title: 'No projects yet',
        text: 'Those of the group belong to all its members.',
        action,
      })
}

function subgroupsCard(group: ViewedGroup, subgroups: Page<Group>): Html {
  const { total } = subgroups
  const more = subgroups.nextPage !== null
  return card({
    title: 'Subgroups',
    end: more
      ? html`<a href="${groupAddress(group.full_path, 'subgroups')}">${total === null ? 'All' : `All ${plural(total, 'subgroup')}`}</a>`
      : undefined,
    body: groupRows(subgroups.items),
    isFlush: true,
  })
}

/** `GET /groups/<group>/-/subgroups`: all of them. */
export async function showSubgroups(call: PageCall): Promise<Reply> {
  const { client, query } = call
  const groupId = call.params.group ?? ''
  const search = query.get('filter') ?? ''
  const [group, subgroups] = await loadAll([
    loadGroup(call),
    client.groups.subgroups({
      groupId,
      ...pageNumber(query),
      ...(search === '' ? {} : { search }),
    }),
  ])
  const self = groupAddress(group.full_path, 'subgroups')
  const list =
    subgroups.items.length === 0
      ? emptyState({ title: 'No subgroups found' })
      : groupRows(subgroups.items)
  return page({
    title: `Subgroups · ${group.full_name}`,
    place: groupPlace(group, 'overview'),
    body: html`${heading('Subgroups')}
${filterForm({ action: self, label: 'Filter subgroups', search: { name: 'filter', value: search } })}
${card({ body: list, isFlush: true })}
${pagination(subgroups, self, query)}`,
  })
}
