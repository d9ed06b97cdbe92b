import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'

export const cardStyle = css`
.card { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); margin: 0 0 var(--space-4); }
.sheet p:has(> button) { margin-top: var(--space-4); }
.sheet > section:not(.card, .notice, .summary), .sheet > form { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: var(--space-4); margin: 0 0 var(--space-4); }
.narrow { max-width: 34rem; margin: var(--space-4) auto 0; }
.card > .body { padding: var(--space-4); }
.card > header { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-3); align-items: center; padding: var(--space-2) var(--space-4); border-bottom: 1px solid var(--line); background: var(--raised); border-radius: var(--radius) var(--radius) 0 0; }
.card > header h2 { font-size: .9375rem; margin: 0; }
.card > header .end { margin-left: auto; }
.card tbody tr:last-child > * { border-bottom: 0; }
.card .scroll + .body, .card .body + .scroll { border-top: 1px solid var(--line); }
.card :is(.scroll, .figures) :is(th, td):first-child { padding-left: var(--space-4); }
.card :is(.scroll, .figures) :is(th, td):last-child { padding-right: var(--space-4); }
.figures th { width: 16rem; }
.halves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0 var(--space-4); align-items: start; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr) 17rem; gap: var(--space-5); align-items: start; }
@media (max-width: 52rem) { .columns { grid-template-columns: minmax(0, 1fr); } }
.aside section { line-height: 1.5rem; border-bottom: 1px solid var(--line); padding: 0 0 var(--space-3); margin: 0 0 var(--space-3); }
.aside .label { margin-block: .125rem; }
.aside h2 { font-size: var(--small); color: var(--muted); margin: 0 0 var(--space-1); }
.notice { border: 1px solid var(--line); border-left: .3rem solid var(--accent); background: var(--surface); border-radius: var(--radius); padding: var(--space-3) var(--space-4); margin: 0 0 var(--space-4); }
.notice.good { border-left-color: var(--good); }
.notice.warning { border-left-color: var(--warning); }
.notice.danger { border-left-color: var(--danger); }
.empty { text-align: center; padding: var(--space-6) var(--space-4); color: var(--muted); }
.empty h2 { color: var(--text); }
.empty pre { text-align: left; display: inline-block; max-width: 100%; overflow-x: auto; background: var(--raised); color: var(--text); padding: var(--space-3) var(--space-4); border-radius: var(--radius); }
`

interface Card {
  /** A heading above the body. */
  title?: string | Html
  /** At the end of the line of the heading. */
  end?: Html | undefined
  body: Html
  /** The body brings its own padding, such as a table or a list. */
  isFlush?: boolean
  id?: string
}

/** A framed part of a page. */
export function card({ title, end, body, isFlush = false, id }: Card): Html {
  return html`<section class="card"${id !== undefined && html` id="${id}"`}>
${title !== undefined && html`<header><h2>${title}</h2>${end !== undefined && html`<div class="end row">${end}</div>`}</header>`}
${isFlush ? body : html`<div class="body">${body}</div>`}
</section>`
}

/** A page with its main part and, beside it or below, what else is known. */
export function columns(main: Html, aside: Html): Html {
  return html`<div class="columns"><div>${main}</div><aside class="aside" data-live="aside">${aside}</aside></div>`
}

/** A part of what stands beside the main part. */
export function asideSection(title: string, body: Html | string): Html {
  return html`<section data-key="${title}"><h2>${title}</h2>${body}</section>`
}

export type NoticeKind = 'good' | 'warning' | 'danger' | ''

/** A message in a page. */
export function notice(body: Html | string, kind: NoticeKind = ''): Html {
  return html`<div class="notice ${kind}">${body}</div>`
}

interface EmptyState {
  title: string
  text?: string | Html
  /** Commands to copy. */
  commands?: string
  action?: Html | undefined
}

/** What a list says that has nothing yet: what to do next. */
export function emptyState({ title, text, commands, action }: EmptyState): Html {
  return html`<div class="empty"><h2>${title}</h2>
${text !== undefined && html`<p>${text}</p>`}
${commands !== undefined && html`<p><pre tabindex="0">${commands}</pre></p>`}
${action}</div>`
}
