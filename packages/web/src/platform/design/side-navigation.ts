import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'

export const sideNavigationStyle = css`
.sided { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: var(--space-5); align-items: start; }
.side ul { list-style: none; margin: 0; padding: 0; }
.side a { display: block; padding: .25rem .625rem; border-left: 2px solid transparent; color: var(--text); }
.side a:hover { background: var(--raised); text-decoration: none; }
.side a[aria-current] { border-left-color: var(--accent); font-weight: 600; background: var(--raised); }
@media (forced-colors: active) { .side a:not([aria-current]) { border-color: Canvas; } }
@media (max-width: 52rem) {
  .sided { grid-template-columns: minmax(0, 1fr); gap: var(--space-3); }
  .side ul { display: flex; flex-wrap: wrap; }
  .side a { border-left: 0; border-bottom: 2px solid transparent; }
  .side a[aria-current] { border-bottom-color: var(--accent); }
}
`

export interface SideLink {
  href: string
  text: string
  isCurrent?: boolean
}

/** A page with links to its neighbours beside it, or above it where the window is narrow. */
export function withSideNavigation(label: string, links: readonly SideLink[], main: Html): Html {
  const items = links.map(
    ({ href, text, isCurrent }) =>
      html`<li><a href="${href}"${isCurrent === true && html` aria-current="page"`}>${text}</a></li>`,
  )
  return html`<div class="sided"><nav class="side" aria-label="${label}"><ul>${items}</ul></nav><div>${main}</div></div>`
}
