import { css } from '../html/css.ts'

/** What the script of the pages adds. */
export const scriptStyle = css`
.editor-toolbar { display: flex; flex-wrap: wrap; gap: var(--space-1); margin: 0 0 var(--space-1); }
.editor-toolbar button { padding: .125rem .5rem; font-size: .8125rem; min-width: 2rem; justify-content: center; }
.editor-toolbar [aria-pressed=true] { color: var(--text); background: var(--raised); }
.preview { border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); padding: var(--space-3) var(--space-4); min-height: 6rem; max-width: none; }
.completion { list-style: none; margin: 0; padding: var(--space-1); position: absolute; z-index: 15; min-width: 16rem; max-width: min(30rem, 90vw); background: var(--surface); border: 1px solid var(--edge); border-radius: var(--radius); box-shadow: 0 .25rem 1rem rgb(0 0 0 / .2); font-size: .875rem; }
.completion li { padding: .25rem .5rem; border-radius: 2px; cursor: pointer; }
.completion li[aria-selected=true] { background: var(--accent); color: var(--on-accent); }
.completion li[aria-selected=true] .muted { color: inherit; }
.copied { position: relative; }
.copied > .copy { position: absolute; top: .375rem; right: .375rem; padding: 0 .5rem; font-size: .75rem; opacity: 0; }
.copied:hover > .copy, .copied > .copy:focus-visible { opacity: 1; }
input + .copy { margin-top: var(--space-1); }
dialog { color: var(--text); background: var(--surface); border: 1px solid var(--edge); border-radius: var(--radius); padding: var(--space-4) var(--space-5); max-width: min(30rem, 90vw); }
dialog::backdrop { background: rgb(0 0 0 / .4); }
dialog > button { margin-top: var(--space-3); }
kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 .3rem; background: var(--raised); }
.diff-file > header > button { padding: 0 .375rem; }
.diff .hunk button { padding: 0 .5rem; font-size: .75rem; font-weight: 400; line-height: 1.125rem; color: var(--accent); }
.diff-file.folded > :not(header) { display: none; }
.news { position: fixed; z-index: 20; inset: auto var(--space-4) var(--space-4); margin: 0 auto; width: fit-content; display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-3); align-items: center; padding: var(--space-2) var(--space-3); background: var(--surface); border: 1px solid var(--accent); border-radius: var(--radius); box-shadow: 0 .25rem 1rem rgb(0 0 0 / .2); }
.news:empty { display: none; }
.chosen-line { background: var(--target); }
.dragged { opacity: .5; }
@media (hover: none) { .copied > .copy { opacity: 1; } }
`
