import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'
import type { Option } from './form-fields.ts'
import { icon } from './icon.ts'

export const filterFormStyle = css`
.filters { display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: center; margin: 0 0 var(--space-4); }
.filters .find { position: relative; flex: 1 1 14rem; min-width: 0; }
.filters .find .icon { position: absolute; left: .625rem; top: .625rem; color: var(--muted); pointer-events: none; }
.filters .find input[type=search] { padding-left: 2rem; }
.filters select { width: auto; max-width: 100%; }
.filters label { display: inline-flex; gap: var(--space-2); align-items: center; margin: 0; font-weight: 400; }
.filters input:not([type=search]) { width: auto; }
.filters > button { min-height: 2.125rem; }
`

interface Choice {
  name: string
  /** For screen readers. */
  label: string
  options: readonly Option[]
  value: string
}

interface FilterForm {
  /** The page that it filters. */
  action: string
  /** What it filters, for screen readers: `Filter projects`. */
  label: string
  search: { name: string; value: string; placeholder?: string }
  choices?: readonly Choice[]
  /** Other values of the address that stay. */
  kept?: Readonly<Record<string, string>>
  /** The button; default `Apply`. */
  button?: string
}

/** The text and choices that a list is filtered by. */
export function filterForm(form: FilterForm): Html {
  const { action, label, search, choices = [], kept = {}, button = 'Apply' } = form
  const { name, value, placeholder = 'Filter by name' } = search
  const hidden = Object.entries(kept).map(
    ([key, text]) => html`<input type="hidden" name="${key}" value="${text}">`,
  )
  return html`<form class="filters" action="${action}" role="search" aria-label="${label}">
<div class="find">${icon('search')}<input type="search" name="${name}" value="${value}" aria-label="${placeholder}" placeholder="${placeholder}" maxlength="255"></div>
${choices.map(choice)}${hidden}
<button>${button}</button>
</form>`
}

function choice({ name, label, options, value }: Choice): Html {
  const items = options.map(
    (option) =>
      html`<option value="${option.value}"${option.value === value && html` selected`}>${option.text}</option>`,
  )
  return html`<select name="${name}" aria-label="${label}">${items}</select>`
}
