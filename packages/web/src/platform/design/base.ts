import { css } from '../html/css.ts'

/** Elements without a class. Lines of lists and tables are high enough for links in each of them (WCAG 2.5.8). */
export const base = css`
*, ::before, ::after { box-sizing: border-box; }
html { overflow-y: scroll; }
body { margin: 0; background: var(--ground); color: var(--text); font: var(--normal)/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: var(--huge); line-height: 1.25; margin: 0; }
h2 { font-size: var(--large); line-height: 1.3; margin: 0 0 var(--space-3); }
h3 { font-size: 1.0625rem; margin: 0 0 var(--space-2); }
p { margin: 0 0 var(--space-3); }
p:last-child { margin-bottom: 0; }
a { color: var(--accent); text-decoration: none; text-underline-offset: .15em; }
a:hover { text-decoration: underline; }
main :where(p, .details, .sentence, .card > header h2, .timeline, .card > .body li, td, dd, .about, .notice) a:not(.button, .label, .badge, .title, .person) { text-decoration: underline color-mix(in srgb, currentColor 40%, transparent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
:target { scroll-margin-top: var(--space-4); }
code, pre, kbd, samp, .mono { font-family: var(--mono); font-size: .8125rem; }
pre.code { background: var(--raised); border-radius: var(--radius); padding: var(--space-3) var(--space-4); margin: 0 0 var(--space-3); overflow: auto; max-height: 24rem; tab-size: 4; }
li, td, dd { line-height: 1.5rem; }
ul.plain, ol.plain { list-style: none; margin: 0; padding: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: baseline; padding: var(--space-2) var(--space-3); border-bottom: 1px solid var(--line); }
th { font-weight: 600; font-size: var(--small); color: var(--muted); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
time, .nowrap { white-space: nowrap; }
hr { border: 0; border-top: 1px solid var(--line); margin: var(--space-5) 0; }
img { max-width: 100%; }
summary { cursor: pointer; }
.muted { color: var(--muted); }
.small { font-size: var(--small); }
.strong { font-weight: 600; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.scroll { position: relative; overflow-x: auto; }
.scroll td { min-width: 7.5rem; max-width: 30rem; overflow-wrap: break-word; }
.scroll td.number, .scroll td.actions { min-width: 0; }
.scroll th { white-space: nowrap; }
th.actions, td.actions { text-align: right; white-space: nowrap; padding-block: var(--space-1); }
.row { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-3); align-items: center; }
.row > .grow { flex: 1; min-width: 0; }
.stack > * + * { margin-top: var(--space-4); }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`
