import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'
import type { IconName } from './icon-paths.ts'

export const iconStyle = css`
.icon { width: 1em; height: 1em; fill: currentColor; vertical-align: -.125em; flex: none; }
`

/** Prefix of the ids of symbols in the page, which holds those that it uses. */
export const symbolPrefix = 'icon-'

/** An icon of 16 × 16 units, scaled to the text. Decoration, unless it gets a name. */
export function icon(name: IconName, label?: string): Html {
  return label === undefined
    ? html`<svg class="icon" aria-hidden="true"><use href="#icon-${name}"/></svg>`
    : html`<svg class="icon" role="img" aria-label="${label}"><use href="#icon-${name}"/></svg>`
}
