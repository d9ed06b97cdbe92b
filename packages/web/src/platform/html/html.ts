/** Markup that is safe to send: all untrusted text in it is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | undefined | null | false | readonly Html[]

/**
 * Template tag: texts are escaped, `Html` values are inserted unchanged, `undefined`, `null` and `false`
 * become nothing. Attributes must be quoted.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  // Concatenated strings share their parts until the whole is sent; joining copies at each level.
  let text = strings[0] ?? ''
  for (let index = 0; index < parts.length; index += 1) {
    text += render(parts[index]) + (strings[index + 1] ?? '')
  }
  return new Html(text)
}

function render(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part)
  if (part === undefined || part === null || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'number') return String(part)
  let text = ''
  for (const item of part) text += item.text
  return text
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes the special characters of HTML, for texts and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}
