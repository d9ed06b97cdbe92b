import { css } from '../../platform/html/css.ts'

export const styleguideStyle = css`
.styleguide > section { margin-bottom: var(--space-6); }
.specimen { border-top: 1px solid var(--line); padding-top: var(--space-3); }
.specimen > figcaption { color: var(--muted); font-size: var(--small); margin-bottom: var(--space-2); }
.specimen > :is(dialog, .completion, .news) { position: static; margin: 0; }
.swatches { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: var(--space-1) var(--space-4); }
.swatches svg { vertical-align: middle; }
`
