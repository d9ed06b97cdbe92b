import type { HighlightAnswer } from '../text-messages.ts'
import { escapeText } from './render-env.ts'

/**
 * Highlights code, and closes and opens again the elements that go beyond a line.
 * @param names of the language, of which the first that is known counts
 */
export async function markLines(code: string, names: readonly string[]): Promise<HighlightAnswer> {
  const { default: library } = await import('highlight.js')
  const known = names.find((name) => library.getLanguage(name) !== undefined)
  const language = known && library.getLanguage(known)
  if (!known || !language || known === 'txt') return { html: escapeText(code), language: null }
  const { value } = library.highlight(code, { language: known, ignoreIllegals: true })
  return {
    html: splitElements(value.replaceAll('&quot;', '"').replaceAll('&#x27;', "'")),
    language: language.name ?? known,
  }
}

const end = '</span>'

/** Ends elements at each line break, and starts them again after it. */
function splitElements(html: string): string {
  const open: string[] = []
  return html
    .split('\n')
    .map((line) => {
      const start = open.join('')
      trackElements(line, open)
      return start + line + end.repeat(open.length)
    })
    .join('\n')
}

/** Adds the start tags of a line that aren't ended in it, and removes those that are. */
function trackElements(line: string, open: string[]): void {
  for (let at = line.indexOf('<'); at >= 0; at = line.indexOf('<', at + 1)) {
    if (line.startsWith(end, at)) open.pop()
    else open.push(line.slice(at, line.indexOf('>', at) + 1))
  }
}
