import { type Html, html } from '../html/html.ts'

/** The heading of a page, and its buttons at the end of the line. */
export function heading(text: Html | string, end?: Html | readonly Html[]): Html {
  const buttons = end === undefined ? [] : 'text' in end ? [end] : end
  return html`<div class="heading"><h1 dir="auto">${text}</h1>${buttons.length > 0 && html`<div class="end">${buttons}</div>`}</div>`
}
