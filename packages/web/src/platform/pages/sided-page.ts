import { errorSummary } from '../design/form-fields.ts'
import { heading } from '../design/heading.ts'
import { type SideLink, withSideNavigation } from '../design/side-navigation.ts'
import type { FailedForm } from '../forms/form-view.ts'
import { type Html, html } from '../html/html.ts'
import type { Place } from './place.ts'
import { type PageReply, page } from './reply.ts'

interface SidedPage {
  title: string
  /** What the page belongs to, for the title of the document: `Settings · group/app`. */
  of: string
  place?: Place | undefined
  /** The accessible name of the links. */
  label: string
  links: readonly SideLink[]
  /** Buttons at the end of the heading. */
  end?: Html | undefined
  failed?: FailedForm | undefined
  body: Html
  isSecret?: boolean | undefined
}

/** A page with links to its neighbours beside it; 422 where a form of it was refused. */
export function sidedPage(view: SidedPage): PageReply {
  const { title, of, place, label, links, end, failed, body, isSecret } = view
  const formErrors = failed?.formErrors ?? []
  const main = html`${heading(title, end)}${errorSummary(formErrors)}
${body}`
  return page({
    status: formErrors.length > 0 ? 422 : 200,
    title: `${title} · ${of}`,
    place,
    isSecret,
    body: withSideNavigation(label, links, main),
  })
}
