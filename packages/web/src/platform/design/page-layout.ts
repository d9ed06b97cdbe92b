import { css } from '../html/css.ts'

export const pageLayoutStyle = css`
.skip { position: absolute; left: -100rem; z-index: 20; }
.skip:focus { left: var(--space-2); top: var(--space-2); background: var(--surface); padding: var(--space-2) var(--space-4); }
header.site { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-4); align-items: center; padding: var(--space-2) var(--space-5); background: var(--surface); border-bottom: 1px solid var(--line); }
header.site .brand { font-weight: 700; font-size: 1.0625rem; color: var(--text); }
header.site .brand img { max-height: 1.75rem; vertical-align: middle; }
header.site nav ul { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); list-style: none; margin: 0; padding: 0; }
header.site nav a { color: var(--text); }
header.site .find { flex: 1; min-width: 8rem; max-width: 24rem; margin: 0 0 0 auto; }
main { max-width: 80rem; margin: 0 auto; padding: var(--space-4) var(--space-5) var(--space-6); outline: 0; }
.place { background: var(--surface); padding-top: var(--space-3); }
.place > .about { max-width: 80rem; margin: 0 auto var(--space-2); padding: 0 var(--space-5); display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: center; font-size: 1.0625rem; }
.place > .tabs { margin: 0; padding: 0 max(var(--space-3), calc((100vw - 80rem) / 2 + var(--space-3))); }
.heading { display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-3); align-items: center; margin: 0 0 var(--space-4); }
.heading .end { margin-left: auto; display: flex; flex-wrap: wrap; gap: var(--space-2); align-items: center; }
.banner { margin: 0; padding: var(--space-2) var(--space-4); text-align: center; white-space: pre-line; }
@media (max-width: 40rem) { header.site, main { padding-inline: var(--space-3); } .place > .about { padding-inline: var(--space-3); } }
@media (max-width: 92rem) { .place > .tabs a > .icon { display: none; } }
@media print { header.site, .tabs, .skip { display: none; } }
`
