import type { Milestone } from '@stithy/core'
import { stateIcon } from '../../platform/design/badge.ts'
import { buttonLink } from '../../platform/design/button.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { filterForm } from '../../platform/design/filter-form.ts'
import { heading } from '../../platform/design/heading.ts'
import { row, rows } from '../../platform/design/lists.ts'
import { pagination, tabs } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { loadAll } from '../../platform/pages/load-all.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { page, type Reply } from '../../platform/pages/reply.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'
import { localPath, withQuery } from '../../platform/text/addresses.ts'
import { shortDay } from '../../platform/text/time.ts'
import { loadOwner, ownAddress } from '../items/plan-owner.ts'
import { milestoneCalls } from './milestone-calls.ts'

const states = { active: 'Open', closed: 'Closed', all: 'All' } as const
type State = keyof typeof states

function stateOf(query: URLSearchParams): State {
  const state = query.get('state') ?? ''
  return Object.hasOwn(states, state) ? (state as State) : 'active'
}

/** `GET …/-/milestones`: the milestones of a project or group. */
export async function showMilestones(call: PageCall): Promise<Reply> {
  const { query } = call
  const state = stateOf(query)
  const search = query.get('search') ?? ''
  const [owner, milestones] = await loadAll([
    loadOwner(call, { project: 'issues', group: 'milestones' }),
    milestoneCalls(call).list({
      state,
      ...(search && { search }),
      ...pageNumber(query),
      ...withoutDescriptions,
    }),
  ])
  const self = ownAddress(call, 'milestones')
  const create = owner.rights.mayDevelop
    ? buttonLink(`${self}/new`, 'New milestone', 'primary')
    : undefined
  const links = Object.entries(states).map(([value, text]) => ({
    text,
    href: withQuery(self, { state: value, page: undefined }, query),
    isCurrent: value === state,
  }))
  const list =
    milestones.items.length === 0
      ? emptyState({
          title: 'No milestones here',
          text: 'A milestone collects what has to be done by a day.',
          action: create,
        })
      : rows(milestones.items.map(milestoneRow))
  return page({
    title: `Milestones · ${owner.path}`,
    place: owner.place,
    body: html`${heading('Milestones', create)}
${filterForm({ action: self, label: 'Filter milestones', search: { name: 'search', value: search, placeholder: 'Filter by title' }, kept: { state } })}
${tabs('States', links)}${card({ body: list, isFlush: true })}
${pagination(milestones, self, query)}`,
  })
}

function milestoneRow(milestone: Milestone): Html {
  return row({
    start: stateIcon('milestone', milestone.state),
    title: html`<a class="title" href="${localPath(milestone.web_url)}">${milestone.title}</a>`,
    details: milestoneDates(milestone),
  })
}

/** When a milestone starts and is due. */
export function milestoneDates({ start_date: start, due_date: due }: Milestone): Html {
  if (start === null && due === null) return html`<span>No dates</span>`
  return html`${start !== null && html`<span>starts ${shortDay(start)}</span>`}${due !== null && html`<span>due ${shortDay(due)}</span>`}`
}
