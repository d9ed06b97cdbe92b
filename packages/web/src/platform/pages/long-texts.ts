import { prose } from '../design/prose.ts'
import { Html, html } from '../html/html.ts'
import { cutTexts } from '../text/cut-texts.ts'
import { formatCount } from '../text/numbers.ts'

/** A text that may be long. */
export interface LongText {
  text: string | null | undefined
  /** The address that has the whole of it. */
  whole?: string
}

/** Characters of all texts that a page renders. */
const maxLength = 100_000
/** Characters of what they become: more of it is rendered again from less. */
const maxHtmlLength = 500_000

/** Renders texts; very long ones are cut, and say so. @param render is given as many texts as it returns */
export async function renderLongTexts(
  texts: readonly LongText[],
  render: (texts: readonly string[]) => Promise<readonly string[]>,
): Promise<string[]> {
  const sources = texts.map(({ text }) => text ?? '')
  let shown = cutTexts(sources, maxLength)
  let rendered = await render(shown)
  const size = lengthOf(rendered)
  if (size > maxHtmlLength) {
    // References and tasks become many times as long.
    shown = cutTexts(shown, Math.floor((lengthOf(shown) * maxHtmlLength) / size))
    rendered = await render(shown)
  }
  return rendered.map((result, at) => {
    const { length = 0 } = sources[at] ?? {}
    const isCut = length > (shown[at]?.length ?? 0)
    return isCut ? result + cutNotice(length, texts[at]?.whole).text : result
  })
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

/** What stands below a text that is cut. @param whole the address that has the whole of it */
export function cutNotice(length: number, whole?: string): Html {
  const size = `The rest of this text of ${formatCount(length)} characters is left out.`
  const link = whole !== undefined && html` <a href="${whole}">See the whole text</a>`
  return html`<p class="muted">${size}${link}</p>`
}
