import { css } from '../../platform/html/css.ts'

/** What the pages of a repository have besides the shared components. */
export const repositoryStyle = css`
.toolbar { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-3); align-items: center; margin: 0 0 var(--space-3); }
.toolbar .crumbs { flex: 1; min-width: 8rem; }
.toolbar .end { display: flex; flex-wrap: wrap; gap: var(--space-2); margin-left: auto; }
.toolbar form.end { flex-wrap: nowrap; }
.toolbar form.end input { width: 14rem; }
h1 code { font-size: .9em; }
.ref-menu .name { max-width: 14rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.ref-menu .panel, .menu > .clone { width: min(22rem, 90vw); padding: var(--space-3); }
.ref-menu .buttons { margin-top: var(--space-2); }
.clone label { font-size: var(--small); }
.clone .fields input { margin-bottom: var(--space-2); }
.files td { padding-block: .375rem; }
.files .name { width: 34%; min-width: 10rem; }
.files .commit { overflow: hidden; text-overflow: ellipsis; max-width: 0; white-space: nowrap; }
.files .commit a { color: var(--muted); }
.files .time { width: 1%; color: var(--muted); text-align: right; font-size: var(--small); }
.entry { color: var(--muted); }
.entry.tree { color: var(--accent); }
@media (max-width: 40rem) { .files .commit { display: none; } }
.commit-line { display: flex; flex-wrap: wrap; gap: 0 var(--space-2); align-items: center; padding: var(--space-2) var(--space-4); background: var(--raised); border-bottom: 1px solid var(--line); border-radius: var(--radius) var(--radius) 0 0; font-size: var(--small); }
.commit-line > .grow { flex: 1; min-width: 8rem; color: var(--text); }
.facts { list-style: none; margin: 0; padding: 0; }
.facts a { color: var(--text); display: inline-flex; min-height: 1.5rem; gap: .4em; align-items: center; }
.language-bar { display: block; width: 100%; height: .5rem; border-radius: .25rem; }
.languages { list-style: none; display: flex; flex-wrap: wrap; gap: 0 var(--space-3); margin: var(--space-1) 0 0; padding: 0; font-size: var(--small); }
.languages svg { width: .6rem; height: .6rem; margin-right: .35em; }
.plain-text { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.picture { text-align: center; }
.message { white-space: pre-wrap; overflow-wrap: anywhere; margin-bottom: 0; }
.stack > .commit-facts { margin-top: var(--space-3); }
.blame { font-size: .75rem; line-height: 1.5rem; }
.blame td { border: 0; padding: 0 .5rem; vertical-align: top; }
.blame tbody { border-top: 1px solid var(--line); }
.blame th { width: 18rem; min-width: 12rem; max-width: 18rem; padding: .125rem .75rem; font-weight: 400; vertical-align: top; border: 0; }
.blame th > a { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--text); }
.blame .number { width: 1%; text-align: right; white-space: nowrap; user-select: none; }
.blame td.number a { color: var(--muted); text-decoration: none; }
.blame pre { margin: 0; font-size: .75rem; tab-size: 4; }
.blame tr:target td { background: var(--target); }
.plot text { fill: var(--muted); font: .6875rem system-ui, sans-serif; }
.plot .bar { fill: var(--accent); }
.plot .axis { stroke: var(--line); }
.network { display: block; }
.network circle { stroke: var(--surface); stroke-width: 2; }
.graph-rows { display: flex; overflow-x: auto; }
.graph-rows ol { list-style: none; margin: 0; padding: 0; flex: 1; min-width: 16rem; }
.graph-rows li { height: 1.75rem; line-height: 1.75rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: .875rem; }
.commit-comment { border-bottom: 1px solid var(--line); padding: 0 0 var(--space-3); margin: 0 0 var(--space-3); }
.commit-comment:last-child { border-bottom: 0; padding-bottom: 0; margin-bottom: 0; }
.commit-comment > .row { margin: 0 0 var(--space-1); }
.commit-facts { font-size: .875rem; }
.commit-facts .icon { color: var(--muted); }
.compare { display: grid; grid-template-columns: 1fr 1fr auto; gap: 0 var(--space-3); align-items: end; }
.compare .field { margin: 0; }
.compare .buttons { margin: 0; }
.compare + p { margin: var(--space-2) 0 0; }
@media (max-width: 40rem) { .compare { grid-template-columns: 1fr; gap: var(--space-3); } }
.layouts .button[aria-current] { background: var(--raised); border-color: var(--accent); }
.ahead { display: inline-flex; gap: .35em; font-variant-numeric: tabular-nums; }
`
