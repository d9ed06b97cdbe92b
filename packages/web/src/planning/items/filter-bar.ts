import { icon } from '../../platform/design/icon.ts'
import { menu } from '../../platform/design/navigation.ts'
import { css } from '../../platform/html/css.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import { type FilterText, formatFilter, toggleTerm } from './filter-text.ts'

export const filterBarStyle = css`
.filter-bar { display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: center; margin: 0 0 var(--space-3); }
.filter-bar .filters { flex: 1 1 20rem; margin: 0; }
.filter-bar .menu .panel { max-height: 24rem; overflow-y: auto; }
`

/** A value that a menu offers. */
export interface FilterChoice {
  text: Html | string
  value: string
}

/** A menu of values of one term. */
export interface FilterMenu {
  title: string
  /** The word before the colon. */
  name: string
  choices: readonly FilterChoice[]
  /** Whether a value replaces another one. */
  isOnly?: boolean
}

/** An order of the list, as values of the address. */
export interface SortChoice {
  text: string
  sort: string
}

interface FilterBar {
  /** The page that it filters. */
  self: string
  query: URLSearchParams
  filter: FilterText
  label: string
  placeholder: string
  menus: readonly FilterMenu[]
  sorts: readonly SortChoice[]
}

/** The text that a list is filtered by, and menus that change it. */
export function filterBar(bar: FilterBar): Html {
  const { self, query, filter, label, placeholder, menus, sorts } = bar
  const kept = ['state', 'sort', 'scope'].flatMap((name) => {
    const value = query.get(name)
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`]
  })
  return html`<div class="filter-bar"><form class="filters" action="${self}" role="search" aria-label="${label}">
<div class="find">${icon('search')}<input type="search" name="filter" value="${formatFilter(filter)}" aria-label="${label}" placeholder="${placeholder}" maxlength="1000" data-complete="filter"></div>${kept}<button class="hidden">Filter</button></form>
${menus.filter(({ choices }) => choices.length > 0).map((each) => filterMenu(bar, each))}${sortMenu(self, query, sorts)}</div>`
}

function filterMenu(
  { self, query, filter }: FilterBar,
  { title, name, choices, isOnly }: FilterMenu,
): Html {
  const current = filter.terms.get(name) ?? []
  return menu({
    summary: title,
    items: choices.map(({ text, value }) => {
      const next = toggleTerm(filter, name, value, { isOnly: isOnly === true })
      const href = withQuery(self, { filter: formatFilter(next), page: undefined }, query)
      const isSet = current.includes(value)
      return html`<a href="${href}"${isSet && html` aria-current="true"`}>${isSet && icon('check')} ${text}</a>`
    }),
  })
}

function sortMenu(self: string, query: URLSearchParams, sorts: readonly SortChoice[]): Html {
  const current = sorts.find(({ sort }) => sort === query.get('sort')) ?? sorts[0]
  return menu({
    summary: html`<span class="hidden">Sort: </span>${current?.text ?? 'Sort'}`,
    items: sorts.map(({ text, sort }) => {
      const href = withQuery(self, { sort, page: undefined }, query)
      const isSet = sort === current?.sort
      return html`<a href="${href}"${isSet && html` aria-current="true"`}>${isSet && icon('check')} ${text}</a>`
    }),
  })
}
