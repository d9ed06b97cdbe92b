import { type Html, html } from '../../platform/html/html.ts'
import type { DiffPlace } from './diff-entry.ts'

interface CommentLink {
  href: string
  /** The script opens the form below the line. */
  isInline?: boolean
}

/** Leads to the form for a comment on a line; visible while the line is pointed at. */
export function commentLink(
  { newLine, oldLine }: Pick<DiffPlace, 'newLine' | 'oldLine'>,
  { href, isInline = false }: CommentLink,
): Html {
  return html`<a class="comment-line" href="${href}" aria-label="Comment on line ${newLine ?? oldLine}"${isInline && html` data-inline`}>+</a>`
}
