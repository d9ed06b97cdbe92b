import type { GroupOrder } from '@stithy/core'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { filterForm } from '../../platform/design/filter-form.ts'
import { heading } from '../../platform/design/heading.ts'
import { pagination } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply, redirect } from '../../platform/pages/reply.ts'
import { signInAddress } from '../../platform/pages/sign-in-address.ts'
import { exploreTabs } from '../projects/project-list-page.ts'
import { groupRows } from './group-row.ts'

/** `/explore/groups`: all that the viewer may see. */
export function exploreGroups(call: PageCall): Promise<Reply> {
  return showGroups(call, { path: '/explore/groups', title: 'Explore groups' })
}

/** `/groups`, `/dashboard/groups`: those that the viewer is a member of. */
export async function showOwnGroups(call: PageCall): Promise<Reply> {
  if (call.csrfToken === '') return redirect(signInAddress(call))
  return showGroups(call, { path: '/dashboard/groups', title: 'Your groups', level: 10 })
}

interface GroupList {
  path: string
  title: string
  /** The viewer's lowest level in the groups. */
  level?: number
}

async function showGroups(call: PageCall, { path, title, level }: GroupList): Promise<Reply> {
  const { client, query } = call
  const [viewer, groups] = await loadAll([
    call.viewer(),
    client.groups.list({
      ...pageNumber(query),
      ...filterOf(query),
      ...(level === undefined ? { all_available: true } : { min_access_level: level }),
    }),
  ])
  const create = viewer?.can_create_group
    ? buttonLink('/groups/new', 'New group', 'primary')
    : undefined
  const isFiltered = (query.get('filter') ?? '') !== ''
  const list = groups.items.length === 0 ? nothing(isFiltered, create) : groupRows(groups.items)
  return page({
    title,
    body: html`${heading(title, create)}
${level === undefined && exploreTabs('/explore/groups')}
${filters(path, query)}
${card({ body: list, isFlush: true })}
${pagination(groups, path, query)}`,
  })
}

function nothing(isFiltered: boolean, action: Html | undefined): Html {
  if (isFiltered) return emptyState({ title: 'No group has such a name' })
  const text = 'A group holds projects, and their members have the same role in all of them.'
  return emptyState({ title: 'No groups here', text, action })
}

/** How groups are sorted; the values are those of existing addresses. */
const orders: Readonly<Record<string, { text: string; by: GroupOrder; sort: 'asc' | 'desc' }>> = {
  name_asc: { text: 'Name', by: 'name', sort: 'asc' },
  name_desc: { text: 'Name, descending', by: 'name', sort: 'desc' },
  created_desc: { text: 'Last created', by: 'id', sort: 'desc' },
  created_asc: { text: 'Oldest created', by: 'id', sort: 'asc' },
}

function orderOf(query: URLSearchParams): string {
  const value = query.get('sort') ?? ''
  return Object.hasOwn(orders, value) ? value : 'name_asc'
}

function filterOf(query: URLSearchParams) {
  const search = query.get('filter') ?? ''
  const order = orders[orderOf(query)]
  return {
    ...(order === undefined ? {} : { order_by: order.by, sort: order.sort }),
    ...(search === '' ? {} : { search }),
  }
}

function filters(path: string, query: URLSearchParams): Html {
  const options = Object.entries(orders).map(([value, { text }]) => ({ value, text }))
  return filterForm({
    action: path,
    label: 'Filter groups',
    search: { name: 'filter', value: query.get('filter') ?? '' },
    choices: [{ name: 'sort', label: 'Order', options, value: orderOf(query) }],
  })
}
