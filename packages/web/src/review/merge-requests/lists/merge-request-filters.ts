import { filterForm } from '../../../platform/design/filter-form.ts'
import type { Option } from '../../../platform/design/form-fields.ts'
import { icon } from '../../../platform/design/icon.ts'
import { type Tab, tabs } from '../../../platform/design/navigation.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { loadAll } from '../../../platform/pages/load-all.ts'
import type { PageCall } from '../../../platform/pages/page-call.ts'
import { pageNumber } from '../../../platform/pages/page-number.ts'
import { withoutDescriptions } from '../../../platform/pages/without-descriptions.ts'
import { withQuery } from '../../../platform/text/addresses.ts'

const states = { opened: 'Open', merged: 'Merged', closed: 'Closed', all: 'All' } as const
type State = keyof typeof states

const orders: readonly Option[] = [
  { value: '', text: 'Newest' },
  { value: 'oldest', text: 'Oldest' },
  { value: 'updated', text: 'Recently updated' },
  { value: 'stale', text: 'Least recently updated' },
]

const sorting = {
  oldest: { order_by: 'created_at', sort: 'asc' },
  updated: { order_by: 'updated_at', sort: 'desc' },
  stale: { order_by: 'updated_at', sort: 'asc' },
} as const

/** The filters that links set, by the parameters of addresses. */
const titles = {
  label: 'Label',
  milestone: 'Milestone',
  author: 'Author',
  assignee: 'Assignee',
  target_branch: 'Into',
  source_branch: 'From',
} as const
const named = Object.keys(titles) as (keyof typeof titles)[]

/** The state that an address asks for; by default those that are open. */
function stateOf(query: URLSearchParams): State {
  const state = query.get('state') ?? ''
  return Object.hasOwn(states, state) ? (state as State) : 'opened'
}

/** The parameters of the API for the query of an address; usernames are looked up. */
export async function listParameters({ client, query }: Pick<PageCall, 'client' | 'query'>) {
  const text = (name: string) => query.get(name)?.trim() || undefined
  const idOf = async (name: string) => {
    const username = text(name)?.replace(/^@/, '')
    if (username === undefined) return undefined
    const [user] = await client.users.list({ username })
    return user?.id ?? nobody
  }
  const [author, assignee] = await loadAll([idOf('author'), idOf('assignee')])
  const state = stateOf(query)
  const wip = text('wip')
  const order = text('sort') ?? ''
  const given = {
    state: state === 'all' ? undefined : state,
    search: text('search'),
    labels: text('label'),
    milestone: text('milestone'),
    target_branch: text('target_branch'),
    source_branch: text('source_branch'),
    author_id: author,
    assignee_id: assignee,
    wip: wip === 'yes' || wip === 'no' ? wip : undefined,
  } as const
  return {
    with_labels_details: true,
    ...withoutDescriptions,
    ...pageNumber(query),
    ...(Object.hasOwn(sorting, order) ? sorting[order as keyof typeof sorting] : {}),
    ...defined(given),
  }
}

/** An id that no user has: the list is empty for a username that nobody has. */
const nobody = 2_147_483_647

function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** Whether an address asks for some merge requests only, besides their state. */
export function isFiltered(query: URLSearchParams): boolean {
  return ['search', 'wip', ...named].some((name) => (query.get(name) ?? '') !== '')
}

/** Links between the states. */
export function stateTabs(path: string, query: URLSearchParams): Html {
  const current = stateOf(query)
  const items = Object.entries(states).map(
    ([state, text]): Tab => ({
      text,
      href: withQuery(
        path,
        { state: state === 'opened' ? undefined : state, page: undefined },
        query,
      ),
      isCurrent: state === current,
    }),
  )
  return tabs('States', items)
}

/** The form above a list, and the other filters that its address has. */
export function filters(path: string, query: URLSearchParams): Html {
  const value = (name: string) => query.get(name) ?? ''
  const hidden = ['state', ...named].filter((name) => value(name) !== '')
  return html`${filterForm({
    action: path,
    label: 'Filter merge requests',
    search: {
      name: 'search',
      value: value('search'),
      placeholder: 'Search titles and descriptions',
    },
    choices: [
      { name: 'wip', label: 'Drafts', options: draftOptions, value: value('wip') },
      { name: 'sort', label: 'Sort by', options: orders, value: value('sort') },
    ],
    kept: Object.fromEntries(hidden.map((name) => [name, value(name)])),
  })}${chosen(path, query)}`
}

/** The filters that links have set, each a link that takes it away. */
function chosen(path: string, query: URLSearchParams): Html | undefined {
  const names = named.filter((name) => (query.get(name) ?? '') !== '')
  if (names.length === 0) return undefined
  const items = names.map((name) => {
    const text = `${titles[name]}: ${query.get(name)}`
    const href = withQuery(path, { [name]: undefined, page: undefined }, query)
    return html`<li><a class="label" href="${href}" aria-label="Remove filter ${text}">${text} ${icon('x')}</a></li>`
  })
  return html`<ul class="plain row chosen" aria-label="Filters">${items}</ul>`
}

const draftOptions: readonly Option[] = [
  { value: '', text: 'With drafts' },
  { value: 'no', text: 'Without drafts' },
  { value: 'yes', text: 'Only drafts' },
]
