import { type Html, html } from '../html/html.ts'

/**
 * A part of a page that the script brings up to date when others change what it shows: each of its
 * children, which is known by its `data-key` or id, is replaced if it differs, unless the reader is at it.
 * @param name unique on the page
 */
export function livePart(name: string, children: Html): Html {
  return html`<div data-live="${name}">${children}</div>`
}
