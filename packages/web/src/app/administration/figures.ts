import { type Html, html } from '../../platform/html/html.ts'

/** A name and its value, in the order in which they are shown. */
export type Figure = readonly [name: Html | string, value: Html | string | number]

/** A table of names and values; `kind` says how these are aligned. */
export function figures(
  label: string,
  list: readonly Figure[],
  kind: 'number' | 'text' = 'number',
): Html {
  const rows = list.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th> <td class="${kind}">${value}</td></tr>
`,
  )
  return html`<table class="figures" aria-label="${label}"><tbody>${rows}</tbody></table>`
}
