import { css } from '../../platform/html/css.ts'

export const requestStyle = css`
.chosen { margin: calc(-1 * var(--space-2)) 0 var(--space-4); }
.checks li, .rules li { padding: .125rem 0; }
.checks .state { vertical-align: middle; }
.diff-options { margin: 0 0 var(--space-3); }
.diff-options .panel { padding: var(--space-3); width: 20rem; }
.viewed::before { content: '☐' / ''; } .viewed[aria-pressed=true]::before { content: '☑' / ''; }
.suggestion { border: 1px solid var(--line); border-radius: var(--radius); }
.suggestion > .row { padding: var(--space-2) var(--space-4); background: var(--raised); }
.suggestion pre { margin: 0; padding: var(--space-2) 0; overflow-x: auto; }
.suggestion del, .suggestion ins { display: block; padding: 0 var(--space-4); text-decoration: none; }
.suggestion del { background: var(--removed); } .suggestion ins { background: var(--added); }
.commands { background: var(--raised); padding: var(--space-3) var(--space-4); border-radius: var(--radius); overflow-x: auto; }
`
