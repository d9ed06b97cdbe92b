import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { ownMark, type RenderEnv } from './render-env.ts'

interface Footnotes {
  list?: { label?: string; count?: number; tokens?: Token[]; content?: string }[]
}

/** Renders footnotes with ids that don't collide with those of the page, in linear time. */
export function footnoteMarkup(md: MarkdownIt): void {
  md.core.ruler.at('footnote_tail', collectFootnotes)
  const { rules } = md.renderer
  rules.footnote_ref = (tokens, at, _options, env) => {
    const mark = ownMark(env as RenderEnv)
    const { note, anchor } = anchorOf(tokens[at])
    return `<sup${mark} class="footnote-ref"><a${mark} href="#user-content-fn${note}" id="user-content-fnref${anchor}">${note}</a></sup>`
  }
  rules.footnote_block_open = (_tokens, _at, _options, env) => {
    const mark = ownMark(env as RenderEnv)
    return `<section${mark} class="footnotes">\n<ol>\n`
  }
  rules.footnote_block_close = () => '</ol>\n</section>\n'
  rules.footnote_open = (tokens, at, _options, env) =>
    `<li${ownMark(env as RenderEnv)} id="user-content-fn${anchorOf(tokens[at]).note}">`
  rules.footnote_close = () => '</li>\n'
  rules.footnote_anchor = (tokens, at, _options, env) => {
    const mark = ownMark(env as RenderEnv)
    return ` <a${mark} href="#user-content-fnref${anchorOf(tokens[at]).anchor}" class="footnote-backref">↩</a>`
  }
}

/** The number of a footnote, and that of one of its references. */
function anchorOf(token: Token | undefined): { note: number; anchor: string } {
  const note = Number(token?.meta?.id) + 1
  const again = Number(token?.meta?.subId ?? 0)
  return { note, anchor: again > 0 ? `${note}-${again}` : String(note) }
}

/** Moves footnotes to the end of the text, in the order of their first reference. */
function collectFootnotes(state: StateCore): void {
  const { list, refs } = (state.env.footnotes ?? {}) as Footnotes & { refs?: object }
  if (list === undefined && refs === undefined) return
  const definitions = takeDefinitions(state)
  if (list === undefined) return
  const make = (type: string, nesting: -1 | 0 | 1, meta: Token['meta'] = null) =>
    Object.assign(new state.Token(type, '', nesting), { meta })
  const notes = list.flatMap(({ label, count, tokens: inline, content = '' }, id) => {
    const body = inline
      ? asParagraph(state, inline, content)
      : [...(definitions.get(label ?? '') ?? [])]
    const last = body.at(-1)?.type === 'paragraph_close' ? body.splice(-1) : []
    const anchors = Array.from({ length: Math.max(1, count ?? 1) }, (_, subId) =>
      make('footnote_anchor', 0, { id, subId }),
    )
    return [
      make('footnote_open', 1, { id }),
      ...body,
      ...anchors,
      ...last,
      make('footnote_close', -1),
    ]
  })
  const block = [make('footnote_block_open', 1), ...notes, make('footnote_block_close', -1)]
  state.tokens = [...state.tokens, ...block]
}

/**
 * Removes footnote definitions from the text; the last one of each label counts. They may be inside
 * of each other.
 */
function takeDefinitions(state: StateCore): Map<string, Token[]> {
  const found = new Map<string, Token[]>()
  const open: Token[][] = []
  state.tokens = state.tokens.filter((token) => {
    if (token.type === 'footnote_reference_open') {
      const tokens: Token[] = []
      found.set(String(token.meta?.label), tokens)
      open.push(tokens)
      return false
    }
    if (token.type === 'footnote_reference_close') {
      open.pop()
      return false
    }
    open.at(-1)?.push(token)
    return open.length === 0
  })
  return found
}

function asParagraph(state: StateCore, children: Token[], content: string): Token[] {
  const open = new state.Token('paragraph_open', 'p', 1)
  const inline = new state.Token('inline', '', 0)
  const close = new state.Token('paragraph_close', 'p', -1)
  open.block = true
  close.block = true
  return [open, Object.assign(inline, { children, content }), close]
}
