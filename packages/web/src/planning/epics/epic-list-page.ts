import type { Epic } from '@stithy/core'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { heading } from '../../platform/design/heading.ts'
import { rows } from '../../platform/design/lists.ts'
import { pagination, tabs } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { ifPermitted } from '../../platform/pages/if-permitted.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'
import { groupAddress, withQuery } from '../../platform/text/addresses.ts'
import { filterBar } from '../items/filter-bar.ts'
import { filterTerm, formatFilter, parseFilter } from '../items/filter-text.ts'
import { itemSorts, sortOf } from '../items/item-query.ts'
import { loadOwner } from '../items/plan-owner.ts'
import { epicRow } from './epic-row.ts'

const states = { opened: 'Open', closed: 'Closed', all: 'All' } as const
type State = keyof typeof states

const terms = new Set(['label'])

function stateOf(query: URLSearchParams): State {
  const state = query.get('state') ?? ''
  return Object.hasOwn(states, state) ? (state as State) : 'opened'
}

/** `GET /groups/<group>/-/epics`: those of the group and of its subgroups. */
export async function showEpics(call: PageCall): Promise<Reply> {
  const { client, query, params } = call
  const groupId = params.group ?? ''
  const state = stateOf(query)
  const filter = parseFilter(query.get('filter') ?? '', terms)
  const labels = [...(filter.terms.get('label') ?? [])]
  const [owner, epics, groupLabels] = await loadAll([
    loadOwner(call, { project: 'issues', group: 'epics' }),
    client.epics.list({
      groupId,
      state,
      ...withoutDescriptions,
      ...(labels.length > 0 && { labels }),
      ...(filter.words !== '' && { search: filter.words }),
      ...sortOf(query),
      ...pageNumber(query),
    }),
    ifPermitted(client.labels.list({ groupId, per_page: 50 })),
  ])
  const self = groupAddress(groupId, 'epics')
  const create = owner.rights.mayPlan ? buttonLink(`${self}/new`, 'New epic', 'primary') : undefined
  const links = Object.entries(states).map(([value, text]) => ({
    text,
    href: withQuery(self, { state: value, page: undefined }, query),
    isCurrent: value === state,
    count: value === state ? (epics.total ?? undefined) : undefined,
  }))
  const choices = (groupLabels?.items ?? []).map(({ name }) => ({ value: name, text: name }))
  return page({
    title: `Epics · ${owner.path}`,
    place: owner.place,
    body: html`${heading('Epics', create)}
${filterBar({
  self,
  query,
  filter,
  label: 'Filter epics',
  placeholder: 'label:team words',
  menus: [{ title: 'Label', name: 'label', choices }],
  sorts: itemSorts,
})}${tabs('States', links)}${card({ body: epicRows(call, epics.items, self, create, formatFilter(filter) !== ''), isFlush: true })}
${pagination(epics, self, query)}`,
  })
}

function epicRows(
  { now }: PageCall,
  epics: readonly Epic[],
  self: string,
  create: Html | undefined,
  isFiltered: boolean,
): Html {
  if (epics.length > 0) {
    const labelHref = (title: string) => withQuery(self, { filter: filterTerm('label', title) })
    return rows(epics.map((epic) => epicRow(epic, { now, labelHref })))
  }
  return isFiltered
    ? emptyState({ title: 'No epic matches', text: html`<a href="${self}">Remove the filter</a>.` })
    : emptyState({
        title: 'No epics here',
        text: 'An epic collects issues of several projects that belong together.',
        action: create,
      })
}
