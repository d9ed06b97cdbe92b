import { type Html, html } from '../html/html.ts'

/**
 * The colour of a label, so that its text keeps its contrast. The policy of the pages forbids styles in elements:
 * attributes of SVG are none.
 * @param color `#rrggbb`
 */
export function labelDot(color: string): Html {
  return html`<svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${color}"/></svg>`
}
