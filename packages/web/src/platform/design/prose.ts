import { css } from '../html/css.ts'
import { Html, html } from '../html/html.ts'
import { pageText } from '../text/rendered-text.ts'

export const proseStyle = css`
.prose { line-height: 1.715; max-width: 52rem; }
.prose :is(p, h1, h2, h3, h4, h5, h6, li, dt, dd, summary) { unicode-bidi: plaintext; }
.prose > :first-child { margin-top: 0; }
.prose > :last-child { margin-bottom: 0; }
.prose h1, .prose h2, .prose h3, .prose h4 { margin: 1.5em 0 .5em; line-height: 1.3; }
.prose h1 { font-size: 1.625rem; } .prose h2 { font-size: 1.3125rem; } .prose h3 { font-size: 1.0625rem; }
.prose p, .prose ul, .prose ol, .prose blockquote, .prose table, .prose pre, .prose details { margin: 0 0 .85em; }
.prose ul, .prose ol { padding-left: 1.6em; }
.prose a { text-decoration: underline; }
.prose blockquote { border-left: .25rem solid var(--line); padding-left: 1em; color: var(--muted); margin-left: 0; }
.prose pre { background: var(--raised); padding: var(--space-3) var(--space-4); border-radius: var(--radius); overflow-x: auto; }
.prose :not(pre) > code { background: var(--raised); padding: .1em .3em; border-radius: .2em; }
.prose table { display: block; overflow-x: auto; width: max-content; max-width: 100%; overflow-wrap: break-word; }
.prose th, .prose td, .card .prose tr:last-child > * { border: 1px solid var(--line); }
.prose tr:last-child > * { border-bottom: 1px solid var(--line); }
.prose li.task-list-item { list-style: none; }
.prose li.task-list-item input { margin-left: -1.4em; }
ins.idiff { background: var(--added-strong); border-radius: 2px; }
del.idiff { background: var(--removed-strong); border-radius: 2px; }
`

/** @param text HTML that the API has rendered and sanitised: nothing else may become markup */
export function prose(text: string): Html {
  return html`<div class="prose">${new Html(pageText(text))}</div>`
}
