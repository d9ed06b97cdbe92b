import type { Page } from '@stithy/client'
import type { Issue, IssueStatistics, Label } from '@stithy/core'
import { label } from '../../platform/design/badge.ts'
import { card, emptyState } from '../../platform/design/card.ts'
import { rows } from '../../platform/design/lists.ts'
import { pagination, tabs } from '../../platform/design/navigation.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall, Viewer } from '../../platform/pages/page-call.ts'
import { pageNumber } from '../../platform/pages/page-number.ts'
import { withoutDescriptions } from '../../platform/pages/without-descriptions.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import { type FilterMenu, filterBar } from '../items/filter-bar.ts'
import { type FilterText, filterTerm, formatFilter } from '../items/filter-text.ts'
import { filterOf, itemQuery, itemSorts, sortOf } from '../items/item-query.ts'
import type { MilestoneChoice } from '../items/milestone-choice.ts'
import { issueRow } from './issue-row.ts'

const states = { opened: 'Open', closed: 'Closed', all: 'All' } as const
export type StateTab = keyof typeof states

function stateOf(query: URLSearchParams): StateTab {
  const state = query.get('state') ?? ''
  return Object.hasOwn(states, state) ? (state as StateTab) : 'opened'
}

/** What a list of issues is asked for, as the API takes it. */
export function issueListQuery({ query }: Pick<PageCall, 'query'>, viewer: Viewer | null) {
  const filter = filterOf(query)
  const state = stateOf(query)
  const weight = filter.terms.get('weight')?.at(-1)
  const isConfidential = filter.terms.get('is')?.includes('confidential') === true
  const common = {
    ...itemQuery(filter, viewer),
    ...(isConfidential && { confidential: true }),
  }
  return {
    filter,
    state,
    /** For the numbers of the tabs. */
    counted: common,
    listed: {
      ...common,
      ...(weight !== undefined && { weight }),
      ...sortOf(query),
      ...pageNumber(query),
      ...(state === 'all' ? {} : { state }),
      with_labels_details: true,
      ...withoutDescriptions,
    },
  }
}

interface IssueList {
  call: Pick<PageCall, 'query' | 'now'>
  /** The address of the list. */
  self: string
  issues: Page<Issue>
  /** Undefined where the API refuses to count. */
  counts: IssueStatistics | undefined
  filter: FilterText
  menus: readonly FilterMenu[]
  create?: Html | undefined
  hasProject?: boolean
  isSelectable?: boolean
  /** Wraps the list, such as with the form of a bulk edit. */
  wrap?: (list: Html) => Html
  /** Values of the address that the numbers of the tabs keep. */
  empty?: { title: string; text: string }
}

/** A list of issues with its filters, tabs of states and pages. */
export function issueList(view: IssueList): Html {
  const { call, self, issues, filter, menus, create, wrap = (list) => list } = view
  const { query } = call
  const list = issues.items.length === 0 ? emptyList(view) : wrap(issueRows(view))
  return html`${filterBar({
    self,
    query,
    filter,
    label: 'Filter issues',
    placeholder: 'label:bug author:me milestone:"1.0" words',
    menus,
    sorts: itemSorts,
  })}${tabs('States', stateTabs(view))}${card({ body: list, isFlush: true })}${
    issues.items.length === 0 && create === undefined ? undefined : pagination(issues, self, query)
  }`
}

function issueRows({ call, self, issues, hasProject, isSelectable }: IssueList): Html {
  const labelHref = (title: string) => withQuery(self, { filter: filterTerm('label', title) })
  const options = { now: call.now, labelHref }
  return rows(
    issues.items.map((issue) =>
      issueRow(issue, {
        ...options,
        hasProject: hasProject === true,
        isSelectable: isSelectable === true,
      }),
    ),
  )
}

function stateTabs({ self, call: { query }, counts }: IssueList) {
  const numbers = counts?.statistics.counts
  return Object.entries(states).map(([state, text]) => ({
    text,
    href: withQuery(
      self,
      { state: state === 'opened' ? undefined : state, page: undefined },
      query,
    ),
    count: numbers?.[state as StateTab],
    isCurrent: state === stateOf(query),
  }))
}

function emptyList({ filter, self, create, empty }: IssueList): Html {
  if (formatFilter(filter) !== '') {
    return emptyState({
      title: 'No issue matches',
      text: html`Try other words, or <a href="${self}">remove the filter</a>.`,
    })
  }
  const { title = 'No issues here', text = 'Report a bug, or plan a change.' } = empty ?? {}
  return emptyState({ title, text, action: create })
}

/** Menus for labels, milestones, assignees and authors. */
export function issueMenus(
  labels: readonly Pick<Label, 'name' | 'color'>[],
  milestones: readonly MilestoneChoice[],
): FilterMenu[] {
  return [
    {
      title: 'Label',
      name: 'label',
      choices: [
        { text: 'No label', value: 'none' },
        ...labels.map(({ name, color }) => ({ value: name, text: label({ name, color }) })),
      ],
    },
    {
      title: 'Milestone',
      name: 'milestone',
      isOnly: true,
      choices: [
        { text: 'No milestone', value: 'None' },
        { text: 'Any milestone', value: 'Any' },
        ...milestones.map(({ title }) => ({ value: title, text: title })),
      ],
    },
    {
      title: 'Assignee',
      name: 'assignee',
      isOnly: true,
      choices: [
        { text: 'Me', value: 'me' },
        { text: 'Nobody', value: 'None' },
        { text: 'Anybody', value: 'Any' },
      ],
    },
    { title: 'Author', name: 'author', isOnly: true, choices: [{ text: 'Me', value: 'me' }] },
  ]
}
