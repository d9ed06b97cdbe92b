import type { MarkdownIt, Token } from 'markdown-it'
import { ownMark, type RenderEnv } from './render-env.ts'

/** The element that marks a change, with the classes that existing clients know. */
const elements = { '+': ['ins', 'addition'], '-': ['del', 'deletion'] } as const

type Sign = keyof typeof elements

/** `{+`, `+}` and the like in a text token, which may begin or end a change. */
interface Mark {
  /** The token's place among its siblings. */
  token: number
  offset: number
  sign: Sign
  isOpening: boolean
  isCurly: boolean
}

/** A cheap test: few texts have what ends a change. */
const likely = /[+-][}\]]/

/** Shows `{+added+}`, `[+added+]`, `{-removed-}` and `[-removed-]` as changes, in GFM. */
export function inlineDiffs(md: MarkdownIt): void {
  md.core.ruler.before('text_join', 'inline-diffs', ({ tokens, env, Token: TokenClass }) => {
    if (!(env as RenderEnv).context.gfm) return
    for (const inline of tokens) {
      if (inline.type !== 'inline' || !likely.test(inline.content)) continue
      const children = inline.children ?? []
      inline.children = replaceMarks(children, TokenClass, matchMarks(children))
    }
  })
  const render: (isOpening: boolean) => NonNullable<typeof md.renderer.rules.text> =
    (isOpening) => (tokens, at, _options, env) => {
      const [tag, kind] = elements[tokens[at]?.markup === '+' ? '+' : '-']
      const mark = ownMark(env as RenderEnv)
      return isOpening ? `<${tag}${mark} class="idiff left right ${kind}">` : `</${tag}>`
    }
  md.renderer.rules.idiff_open = render(true)
  md.renderer.rules.idiff_close = render(false)
}

/** The marks of whole changes, in order. A change is within one line and one element, and may be within another. */
function matchMarks(children: readonly Token[]): Mark[] {
  const matched: Mark[] = []
  // Of each element that is open the first mark of each kind that may begin a change.
  const openings: Mark[][] = [[]]
  children.forEach((child, at) => {
    if (child.nesting > 0) openings.push([])
    else if (child.nesting < 0) openings.pop()
    else if (child.type === 'text') {
      for (const mark of marksIn(child.content, at)) {
        matched.push(...matchMark(mark, openings.at(-1) ?? []))
      }
    } else if (interruptions.has(child.type)) {
      for (const marks of openings) marks.splice(0)
    }
  })
  return matched.sort((one, other) => one.token - other.token || one.offset - other.offset)
}

const interruptions = new Set(['softbreak', 'hardbreak', 'html_inline'])

/** The beginning and end of the change that a mark ends; those that began within are none. */
function matchMark(mark: Mark, openings: Mark[]): readonly Mark[] {
  const at = openings.findIndex(
    ({ sign, isCurly }) => sign === mark.sign && isCurly === mark.isCurly,
  )
  if (mark.isOpening) {
    if (at < 0) openings.push(mark)
    return []
  }
  const opening = openings[at]
  if (opening === undefined) return []
  openings.splice(at)
  return [opening, mark]
}

function* marksIn(text: string, token: number): Generator<Mark> {
  for (let offset = 0; offset + 1 < text.length; offset += 1) {
    const [first = '', second = ''] = [text[offset], text[offset + 1]]
    const isOpening = first === '{' || first === '['
    const sign = isOpening ? second : first
    const bracket = isOpening ? first : second
    if ((sign !== '+' && sign !== '-') || !'{}[]'.includes(bracket)) continue
    if (!isOpening && (bracket === '{' || bracket === '[')) continue
    yield { token, offset, sign, isOpening, isCurly: bracket === '{' || bracket === '}' }
    offset += 1
  }
}

/** Replaces marks of text tokens by tokens that begin and end elements. */
function replaceMarks(
  children: readonly Token[],
  TokenClass: typeof Token,
  marks: readonly Mark[],
): Token[] {
  const byToken = Map.groupBy(marks, ({ token }) => token)
  return children.flatMap((child, at) => {
    const own = byToken.get(at)
    if (own === undefined) return [child]
    const parts: Token[] = []
    let from = 0
    const addText = (until: number) => {
      if (until <= from) return
      const text = new TokenClass('text', '', 0)
      parts.push(Object.assign(text, { content: child.content.slice(from, until) }))
    }
    for (const { offset, sign, isOpening } of own) {
      addText(offset)
      const type = isOpening ? 'idiff_open' : 'idiff_close'
      const token = new TokenClass(type, elements[sign][0], isOpening ? 1 : -1)
      parts.push(Object.assign(token, { markup: sign }))
      from = offset + 2
    }
    addText(child.content.length)
    return parts
  })
}
