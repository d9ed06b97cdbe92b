import { type Html, html } from '../../platform/html/html.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import type { DiffPlace } from './diff-entry.ts'

interface CommentLinks {
  /** The address of the page, where it isn't shown there. */
  page?: string | undefined
  /** The parameter by which the page is asked for the form below a line. */
  parameter: string
  /** Of the page that has the lines. */
  query: URLSearchParams
  /** The part of the page that the link leads to; default: the line. */
  fragment?: string
  /** The script opens the form below the line. */
  isInline?: boolean
}

/**
 * A link on each line of a diff to the form for a comment on it, visible while the line is pointed at. It
 * is relative: the path of the page would be a third of the markup of a line.
 */
export function commentLinks({
  page = '',
  parameter,
  query,
  fragment,
  isInline = false,
}: CommentLinks): (place: DiffPlace) => Html {
  const kept = withQuery(page, { [parameter]: undefined }, query)
  const prefix = `${kept}${kept.includes('?') ? '&' : '?'}${parameter}=`
  const inline = isInline && html` data-inline`
  return ({ code, newLine, oldLine }) =>
    html`<a class="comment-line" href="${prefix}${code}#${fragment ?? code}" aria-label="Comment on line ${newLine ?? oldLine}"${inline}>+</a>`
}
