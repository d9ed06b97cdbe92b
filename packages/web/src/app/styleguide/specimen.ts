import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'

/** A component in one of its states. */
export interface Specimen {
  caption: string
  body: Html
}

/** Components that belong together. */
export interface Family {
  /** Its id in the page. */
  id: string
  title: string
  specimens: readonly Specimen[]
}

/** What specimens need of the request. None of them calls the API. */
export type SpecimenCall = Pick<PageCall, 'client' | 'csrfToken' | 'now' | 'query'>

/** Where links and forms of specimens lead: back to the page. */
export const specimenAddress = '/-/styleguide'

export function specimen(caption: string, body: Html): Specimen {
  return { caption, body }
}

/** A family with its specimens, below a heading. */
export function familySection({ id, title, specimens }: Family): Html {
  const items = specimens.map(
    ({ caption, body }) =>
      html`<figure class="specimen"><figcaption>${caption}</figcaption>
${body}</figure>
`,
  )
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${items}</section>
`
}
