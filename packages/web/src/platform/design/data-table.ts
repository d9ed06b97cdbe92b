import { type Html, html } from '../html/html.ts'

export interface Column {
  text: string
  /** `number`: aligned with the end. `actions`: the heading is for screen readers alone. */
  kind?: 'number' | 'actions'
}

interface DataTable {
  /** What it lists, for screen readers. */
  label: string
  columns: readonly Column[]
  /** The cells of each row; the first one names the row. */
  rows: readonly (readonly (Html | string | number | undefined)[])[]
}

/** A table that scrolls by itself where it is wider than the page. */
export function dataTable({ label, columns, rows }: DataTable): Html {
  const kinds = columns.map(({ kind }) => kind !== undefined && html` class="${kind}"`)
  const head = columns.map(
    ({ text, kind }, at) =>
      html`<th scope="col"${kinds[at]}>${kind === 'actions' ? html`<span class="hidden">${text}</span>` : text}</th>`,
  )
  const body = rows.map(
    (cells) => html`<tr>${cells.map((cell, at) => html`<td${kinds[at]}>${cell}</td>`)}</tr>
`,
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody>
</table></div>`
}
