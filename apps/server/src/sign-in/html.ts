/** Markup that is safe to send: everything that came from outside is escaped in it. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | undefined | false | readonly Html[]

/**
 * Markup with values in it: texts are escaped, other markup goes in as it is, `undefined` and `false`
 * leave nothing. Attributes must be quoted.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = strings.map((text, index) => text + render(parts[index]))
  return new Html(texts.join(''))
}

function render(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map((item) => item.text).join('')
  return escapeHtml(String(part))
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Takes the meaning from the characters of markup, in texts and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}
