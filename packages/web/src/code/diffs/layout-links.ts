import { type Html, html } from '../../platform/html/html.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import { layoutOf } from './diff-files.ts'

/** Links between the two layouts of a diff, and what follows them. */
export function layoutLinks(self: string, query: URLSearchParams, more?: Html): Html {
  const current = layoutOf(query)
  const link = (layout: string, text: string) => {
    const href = withQuery(self, { view: layout === 'inline' ? undefined : layout }, query)
    return html`<a class="button" href="${href}"${layout === current && html` aria-current="true"`}>${text}</a>`
  }
  return html`<p class="row layouts">${link('inline', 'Inline')}${link('parallel', 'Side by side')}${more}</p>`
}
