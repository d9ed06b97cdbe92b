import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'

export const listStyle = css`
.rows { list-style: none; margin: 0; padding: 0; }
.rows > li { display: flex; gap: var(--space-3); padding: var(--space-2) var(--space-4); border-bottom: 1px solid var(--line); align-items: baseline; }
.rows > li:last-child { border-bottom: 0; }
.rows > li:hover { background: color-mix(in srgb, var(--raised) 50%, transparent); }
.rows .main { flex: 1; min-width: 0; }
.rows .title { font-weight: 600; color: var(--text); unicode-bidi: plaintext; }
.rows .title .within { font-weight: 400; color: var(--muted); }
.rows .details { font-size: var(--small); color: var(--muted); display: flex; flex-wrap: wrap; gap: 0 var(--space-2); }
.rows .end { display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: center; justify-content: flex-end; font-size: var(--small); color: var(--muted); }
@media (max-width: 40rem) { .rows > li { flex-wrap: wrap; row-gap: 0; } .rows .main { flex: 1 1 70%; } .rows .end { flex-basis: 100%; justify-content: flex-start; padding-left: calc(1.5rem + var(--space-3)); } }
.state { display: inline-flex; }
.state.good { color: var(--good); } .state.danger { color: var(--danger); } .state.merged { color: var(--merged); } .state.warning { color: var(--warning); }
`

interface Row {
  /** An icon, picture or checkbox before it. */
  start?: Html | undefined
  title: Html
  /** A second line: who, when, where. */
  details?: Html | undefined
  end?: Html | undefined
}

/** One thing of a list of things. */
export function row({ start, title, details, end }: Row): Html {
  return html`<li>${start}<div class="main">${title}${details !== undefined && html`<div class="details">${details}</div>`}</div>${end !== undefined && html`<div class="end">${end}</div>`}</li>`
}

/** A list of things, one below the other. */
export function rows(items: readonly Html[]): Html {
  return html`<ul class="rows">${items}</ul>`
}
