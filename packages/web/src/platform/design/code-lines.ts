import { css } from '../html/css.ts'
import { Html, html } from '../html/html.ts'

export const codeStyle = css`
.code-lines { margin: 0; padding: var(--space-2) 0; line-height: 1.5rem; font-size: .75rem; tab-size: 4; min-width: max-content; }
.code-lines > span { display: block; padding-right: var(--space-4); }
.code-lines > span > a { display: inline-block; position: sticky; left: 0; min-width: 3.5rem; margin-right: var(--space-4); padding: 0 .5rem; text-align: right; color: var(--muted); background: var(--surface); user-select: none; }
.code-lines > span:target, .code-lines > span:target > a { background: var(--target); }
.code-lines .cut { color: var(--muted); font-style: italic; user-select: none; }
.hljs-comment, .hljs-quote, .hljs-meta, .hljs-doctag { color: var(--muted); }
.hljs-comment, .hljs-quote, .hljs-emphasis { font-style: italic; }
.hljs-keyword, .hljs-selector-tag, .hljs-built_in, .hljs-section, .hljs-template-tag { color: light-dark(#9a1f5c, #f29cc4); }
.hljs-string, .hljs-regexp, .hljs-link, .hljs-addition, .hljs-template-variable { color: light-dark(#17603a, #8fd3a8); }
.hljs-number, .hljs-literal, .hljs-symbol, .hljs-bullet, .hljs-deletion { color: light-dark(#8a4b00, #e3b26a); }
.hljs-title, .hljs-name, .hljs-selector-id, .hljs-selector-class { color: light-dark(#1f5fbf, #8ab4f8); }
.hljs-type, .hljs-class, .hljs-attr, .hljs-attribute, .hljs-variable, .hljs-property, .hljs-params .hljs-type { color: light-dark(#6539b4, #c3abf7); }
.hljs-strong { font-weight: 700; }
`

interface CodeLines {
  /** HTML that the API has made of each line: nothing else may become markup. */
  lines: readonly string[]
  /** How long the lines are of which only the start is shown, by their number. */
  cut?: ReadonlyMap<number, number>
  /** What screen readers call it: the path of the file. */
  label: string
}

/** Numbered lines of code, each with an anchor: `#L10`. */
export function codeLines({ lines, cut = new Map(), label }: CodeLines): Html {
  const items = lines.map((line, at) => {
    const number = at + 1
    const length = cut.get(number)
    const note = length === undefined ? '' : `<span class="cut"> … ${length} characters</span>`
    return `<span id="L${number}"><a href="#L${number}">${number}</a>${line}${note}</span>`
  })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><pre class="code-lines">${new Html(items.join(''))}</pre></div>`
}
