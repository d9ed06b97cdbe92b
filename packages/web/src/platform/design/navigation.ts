import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'
import { count } from './badge.ts'
import { icon } from './icon.ts'
import type { IconName } from './icon-paths.ts'

export const navigationStyle = css`
.tabs { border-bottom: 1px solid var(--line); margin: 0 0 var(--space-4); overflow-x: auto; }
.tabs ul { display: flex; flex-wrap: wrap; gap: 0 var(--space-1); list-style: none; margin: 0; padding: 0; }
.tabs a { display: inline-flex; gap: .4em; align-items: center; padding: var(--space-2) .625rem; color: var(--text); border-bottom: 2px solid transparent; white-space: nowrap; }
.tabs a:hover { text-decoration: none; background: var(--raised); border-radius: var(--radius) var(--radius) 0 0; }
.tabs a[aria-current] { border-bottom-color: var(--accent); font-weight: 600; }
.tabs :focus-visible { outline-offset: -2px; }
@media (forced-colors: active) { .tabs a:not([aria-current]) { border-color: Canvas; } }
@media (max-width: 40rem) { .tabs ul { flex-wrap: nowrap; } }
.menu { position: relative; display: inline-block; }
.menu > summary { list-style: none; margin: 0; display: inline-flex; gap: .3em; align-items: center; }
.menu > summary::-webkit-details-marker { display: none; }
.menu > .panel { position: absolute; z-index: 10; top: calc(100% + .25rem); right: 0; min-width: 12rem; max-width: min(24rem, 90vw); background: var(--surface); border: 1px solid var(--edge); border-radius: var(--radius); padding: var(--space-1); box-shadow: 0 .25rem 1rem rgb(0 0 0 / .2); }
.menu.start > .panel { right: auto; left: 0; }
.menu .panel li > a, .menu .panel li button { display: block; width: 100%; text-align: left; padding: .3125rem .625rem; color: var(--text); border-radius: 2px; border: 0; background: none; font-weight: 400; text-decoration: none; }
.menu .panel li > a:hover, .menu .panel li button:hover { background: var(--raised); text-decoration: none; }
.menu .panel li form { display: block; }
.pages { display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: center; justify-content: center; margin: var(--space-4) 0; }
.crumbs { display: flex; flex-wrap: wrap; gap: 0 .35em; list-style: none; margin: 0; padding: 0; }
.crumbs li + li::before { content: '/'; color: var(--muted); margin-right: .35em; }
`

export interface Tab {
  href: string
  text: string
  icon?: IconName
  count?: number | undefined
  isCurrent?: boolean
}

/** Links between the pages of one thing. */
export function tabs(label: string, items: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${label}"><ul>${items.map(
    (item) =>
      html`<li><a href="${item.href}"${item.isCurrent === true && html` aria-current="page"`}>${item.icon !== undefined && icon(item.icon)}${item.text}${item.count !== undefined && html` ${count(item.count)}`}</a></li>`,
  )}</ul></nav>`
}

interface Menu {
  /** What opens it. */
  summary: Html | string
  /** Its accessible name, if the summary is an icon. */
  label?: string
  /** Links and action buttons. */
  items: readonly Html[]
  /** Which of its edges it is aligned with. */
  align?: 'start' | 'end'
  look?: 'button' | 'plain'
}

/** A menu that opens without JavaScript. */
export function menu({ summary, label, items, align = 'end', look = 'button' }: Menu): Html {
  return html`<details class="menu ${align}" data-menu><summary${look === 'button' && html` class="button"`}${label !== undefined && html` aria-label="${label}"`}>${summary}${icon('triangle-down')}</summary>
<div class="panel"><ul class="plain">${items.map((item) => html`<li>${item}</li>`)}</ul></div></details>`
}

/** The position of a page in a list, as a page of the SDK has it. */
interface Position {
  page: number | null
  totalPages: number | null
  nextPage: number | null
  prevPage: number | null
}

/**
 * Links to the pages before and after this one, with the same filters.
 * @param name of the parameter, where a page has several lists
 */
export function pagination(
  position: Position,
  path: string,
  query: URLSearchParams,
  name = 'page',
): Html | undefined {
  const { page, totalPages, nextPage, prevPage } = position
  if (nextPage === null && prevPage === null) return undefined
  const link = (to: number, text: string, rel: string) => {
    const own = new URLSearchParams(query)
    own.set(name, String(to))
    return html`<a class="button" rel="${rel}" href="${path}?${own.toString()}">${text}</a>`
  }
  return html`<nav class="pages" aria-label="Pages">
${prevPage !== null && link(prevPage, 'Previous', 'prev')}
<span class="muted">Page ${page ?? 1}${totalPages !== null && ` of ${totalPages}`}</span>
${nextPage !== null && link(nextPage, 'Next', 'next')}
</nav>`
}

interface Crumb {
  text: string
  href?: string
}

/** The path to a thing, each part a link. */
export function crumbs(label: string, items: readonly Crumb[]): Html {
  return html`<nav aria-label="${label}"><ol class="crumbs">${items.map(({ text, href }) =>
    href === undefined ? html`<li>${text}</li>` : html`<li><a href="${href}">${text}</a></li>`,
  )}</ol></nav>`
}
