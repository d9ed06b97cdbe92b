import { css } from '../html/css.ts'
import { type Html, html } from '../html/html.ts'

export const codeHitStyle = css`
.hits { margin: 0; padding: var(--space-2) 0; line-height: 1.5rem; font-size: .75rem; tab-size: 4; min-width: max-content; }
.hits > span { display: block; padding-right: var(--space-4); }
.hits > span > a { display: inline-block; min-width: 3.5rem; margin-right: var(--space-4); padding: 0 .5rem; text-align: right; color: var(--muted); user-select: none; }
mark { background: var(--target); color: inherit; border-radius: 2px; }
`

/** The longest part of a line that is shown, in characters. */
const maxLine = 400

interface CodeHits {
  /** What screen readers call it; no two of a page have the same name. */
  label: string
  /** Lines of a file. */
  text: string
  /** The number of the first line. */
  start: number
  /** What was searched for. */
  needle: string
  /** The address of the file. */
  href: string
}

/** Lines of a file in which a text was found; their numbers lead to them in the file. */
export function codeHits({ label, text, start, needle, href }: CodeHits): Html {
  const lines = text.replace(/\n$/, '').split('\n')
  const items = lines.map((line, at) => {
    const number = start + at
    const shown = line.length > maxLine ? `${line.slice(0, maxLine)}…` : line
    return html`<span><a href="${href}#L${number}">${number}</a>${marked(shown, needle)}</span>`
  })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><pre class="hits">${items}</pre></div>`
}

/** A text with what was found in it marked; case is ignored. */
export function marked(text: string, needle: string): Html {
  const [all, part] = [text.toLowerCase(), needle.toLowerCase()]
  // Lower case is longer for a few letters: then the positions differ.
  if (part === '' || all.length !== text.length) return html`${text}`
  const parts: Html[] = []
  let from = 0
  for (let at = all.indexOf(part); at >= 0; at = all.indexOf(part, from)) {
    const end = at + part.length
    parts.push(html`${text.slice(from, at)}<mark>${text.slice(at, end)}</mark>`)
    from = end
  }
  return html`${parts}${text.slice(from)}`
}

/** The line of a text that a needle is first in, counted from the first line. */
export function lineOf(text: string, start: number, needle: string): number {
  const at = text.toLowerCase().indexOf(needle.toLowerCase())
  return at < 0 ? start : start + text.slice(0, at).split('\n').length - 1
}
