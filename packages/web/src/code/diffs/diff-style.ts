import { css } from '../../platform/html/css.ts'

export const diffStyle = css`
.diff-file > header { position: sticky; top: 0; z-index: 1; padding-block: var(--space-1); }
.diff-file > header h2 { font-weight: 400; }
.diff-file > header a { font-size: var(--small); }
.diff-file:target { border-color: var(--accent); }
.diff { font-family: var(--mono); font-size: .75rem; line-height: 1.5rem; tab-size: 4; table-layout: fixed; }
.diff .numbers { width: 2.75rem; }
.diff .signs { width: 3rem; }
.diff td { border: 0; padding: 0 .5rem; vertical-align: top; }
.diff .number { padding-inline: .25rem; color: var(--muted); text-align: right; user-select: none; white-space: nowrap; }
.diff td.number > a:not(.comment-line) { display: inline-block; min-width: 1.5rem; color: inherit; text-decoration: none; }
.diff .sign { padding: 0; user-select: none; position: relative; white-space: nowrap; }
.diff .sign > a:empty { display: inline-block; width: 1.5rem; float: right; text-align: center; color: var(--muted); text-decoration: none; }
.diff .sign > a:empty::before { content: '\00a0'; }
.diff .added .sign > a:empty::before { content: '+'; }
.diff .removed .sign > a:empty::before { content: '−'; }
.comment-line { position: absolute; left: 0; top: 0; width: 1.5rem; height: 1.5rem; text-align: center; border-radius: 3px; background: var(--accent); color: var(--on-accent); opacity: 0; }
.comment-line:hover { text-decoration: none; }
.diff tr:hover .comment-line, .comment-line:focus-visible { opacity: 1; }
@media (hover: none) { .comment-line { opacity: 1; } }
.diff.parallel .number { position: relative; }
.diff .text { width: 100%; white-space: pre-wrap; overflow-wrap: anywhere; }
.diff tr.added > td, .diff td.added { background: var(--added); }
.diff tr.removed > td, .diff td.removed { background: var(--removed); }
.diff mark { color: inherit; background: var(--added-strong); border-radius: 2px; }
.diff .removed mark { background: var(--removed-strong); }
.diff .none { background: var(--ground); }
.diff .hunk td { color: var(--muted); background: var(--raised); padding: .125rem .75rem; white-space: pre-wrap; }
.diff .below > td { padding: var(--space-3); background: var(--surface); font-family: system-ui, sans-serif; font-size: var(--normal); line-height: 1.5; border-block: 1px solid var(--line); }
.diff .cut { color: var(--muted); font-style: italic; margin-left: .5em; user-select: none; }
.diff tr:target > td, .diff td:target, .diff td:target + td { background: var(--target); }
.diff.parallel { min-width: 44rem; }
.diff.parallel .numbers { width: 4rem; }
.diff.parallel .text { width: auto; }
@media (forced-colors: active) {
  .diff.parallel .text.added::before { content: '+ '; }
  .diff.parallel .text.removed::before { content: '− '; }
  .diff mark { text-decoration: underline; }
}
.changes { font-size: var(--small); font-variant-numeric: tabular-nums; white-space: nowrap; }
.plus, .change.added { color: var(--good); }
.minus, .change.removed { color: var(--danger); }
.change.modified, .change.renamed { color: var(--warning); }
.diff-list > summary { padding: var(--space-2) var(--space-4); font-weight: 600; }
.diff-list > ul { list-style: none; margin: 0; padding: 0 var(--space-4) var(--space-3); font-size: .875rem; }
`
