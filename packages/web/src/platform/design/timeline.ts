import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'
import { avatar } from './avatar.ts'
import { icon } from './icon.ts'
import type { IconName } from './icon-paths.ts'

export const timelineStyle = css`
.timeline { list-style: none; margin: 0; padding: 0; position: relative; }
.timeline::before { content: ''; position: absolute; left: .9375rem; top: 0; bottom: 0; border-left: 2px solid var(--line); }
.timeline > li { position: relative; display: grid; grid-template-columns: 2rem minmax(0, 1fr); gap: var(--space-3); margin: 0 0 var(--space-4); }
.timeline .mark { display: flex; justify-content: center; }
.timeline .mark .avatar { width: 2rem; height: 2rem; line-height: 2rem; font-size: .875rem; box-shadow: 0 0 0 3px var(--ground); }
.timeline .mark .dot { width: 1.5rem; height: 1.5rem; border-radius: 50%; background: var(--raised); border: 1px solid var(--line); color: var(--muted); display: inline-flex; align-items: center; justify-content: center; font-size: .75rem; box-shadow: 0 0 0 3px var(--ground); }
.timeline .event { margin-top: -.25rem; }
.event-text { align-self: center; font-size: var(--small); color: var(--muted); }
.event-text .author { font-weight: 600; color: var(--text); }
.event-text .prose { display: inline; font-size: inherit; line-height: inherit; }
.event-text .prose > p { display: inline; margin: 0; }
.event-text .prose ul { margin: var(--space-1) 0; }
.comment { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
.comment + .comment, .thread > .comment { border: 0; border-radius: 0; }
.thread { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
.thread > .comment + .comment, .thread > .more + .comment, .thread > details > .comment { border-top: 1px solid var(--line); }
.thread > .foot, .thread > .more, .thread > .top { padding: var(--space-2) var(--space-4); border-top: 1px solid var(--line); background: var(--raised); }
.thread > .top { border-top: 0; border-bottom: 1px solid var(--line); border-radius: var(--radius) var(--radius) 0 0; }
.thread > .foot { border-radius: 0 0 var(--radius) var(--radius); }
.comment > header { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-2); align-items: center; padding: var(--space-2) var(--space-4) 0; font-size: var(--small); color: var(--muted); }
.comment > header .author { font-weight: 600; color: var(--text); }
.comment > header .end { margin-left: auto; display: flex; gap: var(--space-1); align-items: center; }
.comment > .body { padding: var(--space-2) var(--space-4) var(--space-3); }
.comment:target, .comment.current { box-shadow: inset .25rem 0 0 var(--accent); background: var(--target); }
.reactions { display: flex; flex-wrap: wrap; gap: var(--space-1); align-items: center; margin: var(--space-2) 0 0; }
.reactions button, .reactions .menu > summary { font-size: var(--small); padding: 0 .5rem; margin: 0; line-height: 1.5rem; min-height: 0; border-radius: 1rem; border-color: var(--line); font-weight: 400; }
.reactions button[aria-pressed=true] { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 12%, var(--surface)); font-weight: 600; }
.reactions .panel ul { display: grid; grid-template-columns: repeat(4, auto); gap: var(--space-1); }
.reactions .menu > summary { min-height: 1.625rem; }
.reactions .panel { min-width: 0; }
.reactions .menu .panel li button { font-size: 1.125rem; padding: .25rem .5rem; }
details.reply > summary { color: var(--muted); font-size: var(--small); padding: .1875rem 0; }
details.reply[open] > summary { margin-bottom: var(--space-2); }
@media (max-width: 40rem) {
  .timeline > li { grid-template-columns: minmax(0, 1fr); }
  .timeline::before, .timeline .mark { display: none; }
  .timeline .event { margin-top: 0; }
}
`

interface Mark {
  /** Whose picture stands beside it. */
  by?: { name: string; avatar_url?: string | null }
  icon?: IconName
}

/** One entry of a timeline, with a picture or an icon at the line. */
export function timelineEntry(mark: Mark, body: Html, kind: 'event' | '' = '', key?: string): Html {
  const picture = mark.by !== undefined && avatar(mark.by)
  const dot =
    mark.icon !== undefined && html`<span class="dot" aria-hidden="true">${icon(mark.icon)}</span>`
  return html`<li class="${kind}"${key !== undefined && html` data-key="${key}"`}><div class="mark">${picture}${dot}</div>${body}</li>`
}

/** What happened to a thing, oldest first. */
export function timeline(label: string, entries: readonly Html[]): Html {
  return html`<ol class="timeline" aria-label="${label}" data-key="timeline" data-live="timeline">${entries}</ol>`
}
