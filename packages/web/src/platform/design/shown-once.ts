import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'

export const shownOnceStyle = css`
.notice code.secret { display: block; padding: var(--space-2) var(--space-3); background: var(--raised); border-radius: var(--radius); user-select: all; margin: 0 0 var(--space-2); }
`

interface ShownOnce {
  title: string
  secret: string
  /** Of the element with the secret; default `new-secret`. */
  id?: string
  /** What else belongs to it, such as a username. */
  note?: Html
}

/** A secret that was just created: the server keeps its hash alone, so it can't be shown again. */
export function shownOnce({ title, secret, id = 'new-secret', note }: ShownOnce): Html {
  return html`<section class="notice good" role="status">
<h3>${title}</h3>
<code class="secret" id="${id}">${secret}</code>
<p>${note} Copy it now: it is not shown again.</p>
</section>`
}
