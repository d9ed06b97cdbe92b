import { css } from '../html/css.ts'

/** Drawings of figures: their lines, areas and texts follow the colours of the page. */
export const plotStyle = css`
figure { margin: 0 0 var(--space-4); }
figcaption { font-weight: 600; margin: 0 0 var(--space-1); }
svg.plot { display: block; width: 100%; height: auto; }
svg.plot .bar, svg.plot .area { fill: var(--accent); }
svg.plot .axis { stroke: var(--edge); }
svg.plot text { fill: var(--muted); font-size: 12px; }
`
