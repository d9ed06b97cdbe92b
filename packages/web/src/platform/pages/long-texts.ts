import { cutTexts, longestAllowed } from '@stithy/core'
import { prose } from '../design/prose.ts'
import { Html, html } from '../html/html.ts'
import { formatCount, formatSize } from '../text/numbers.ts'
import { loadAll } from './load-all.ts'

/** A text that may be long. */
export interface LongText {
  text: string | null | undefined
  /** The address that has the whole of it. */
  whole?: string
  /** How to read more, where `text` may be what a text begins with. */
  rest?: RestOfText | undefined
}

export interface RestOfText {
  /** Of the whole text, in UTF-8. */
  bytes: number
  /** Reads what the text begins with. @param length in characters */
  read: (length: number) => Promise<string>
}

/** Characters of all texts that a page renders. */
const maxLength = 100_000
/**
 * Characters to ask a list for of each text: more than is shown tells that it is cut, and one of two
 * may be half of a pair.
 */
export const maxRead = maxLength + 2
/** Characters of what they become: more of it is rendered again from less. */
const maxHtmlLength = 500_000

/** Renders texts; very long ones are cut, and say so. @param render is given as many texts as it returns */
export async function renderLongTexts(
  texts: readonly LongText[],
  render: (texts: readonly string[]) => Promise<readonly string[]>,
): Promise<string[]> {
  const sources = await readShown(texts)
  let shown = cutTexts(sources, maxLength)
  let rendered = await render(shown)
  const size = lengthOf(rendered)
  if (size > maxHtmlLength) {
    // References and tasks become many times as long.
    shown = cutTexts(shown, Math.floor((lengthOf(shown) * maxHtmlLength) / size))
    rendered = await render(shown)
  }
  return rendered.map((result, at) => {
    const [source = '', { whole, rest } = {}] = [sources[at], texts[at]]
    const isCut = source.length > (shown[at]?.length ?? 0) || !isWhole(source, rest)
    return isCut ? result + cutNotice(wholeLength(source, rest), whole).text : result
  })
}

/** The length of a whole text for people. */
function wholeLength(source: string, rest: RestOfText | undefined): string {
  if (rest !== undefined) return formatSize(rest.bytes)
  const isRead = source.length > maxLength && source.length <= maxRead
  return isRead ? `more than ${formatCount(maxLength)} characters` : characters(source)
}

/** As much of each text as the page has room for. */
async function readShown(texts: readonly LongText[]): Promise<string[]> {
  const lengths = texts.map(({ text, rest }) => rest?.bytes ?? text?.length ?? 0)
  const longest = longestAllowed(lengths, maxLength)
  return loadAll(
    texts.map(({ text, rest }) => {
      const start = text ?? ''
      if (rest === undefined || start.length > longest || isWhole(start, rest)) return start
      // One more, so that the text is cut at the end of a line.
      return rest.read(Math.min(longest + 1, rest.bytes))
    }),
  )
}

function isWhole(text: string, rest: RestOfText | undefined): boolean {
  return rest === undefined || new TextEncoder().encode(text).length >= rest.bytes
}

/** How a text becomes HTML: by the API, if it is Markdown, or as it is. */
type Rendering =
  | { markdown: (text: string) => PromiseLike<{ html: string }> }
  | { plain: (text: string) => Html }

/** The text of a file or page as HTML; a very long one is cut, and says so. */
export async function renderLongText(text: LongText, by: Rendering): Promise<Html> {
  const isPlain = 'plain' in by
  const [rendered = ''] = await renderLongTexts([text], async ([shown = '']) => [
    isPlain ? by.plain(shown).text : (await by.markdown(shown)).html,
  ])
  return isPlain ? new Html(rendered) : prose(rendered)
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0)
}

/** The length of a text for people. */
export function characters({ length }: string): string {
  return `${formatCount(length)} characters`
}

/**
 * What stands below a text that is cut.
 * @param length of the whole text, for people
 * @param whole the address that has the whole of it
 */
export function cutNotice(length: string, whole?: string): Html {
  const size = `The rest of this text of ${length} is left out.`
  const link = whole !== undefined && html` <a href="${whole}">See the whole text</a>`
  return html`<p class="muted">${size}${link}</p>`
}
