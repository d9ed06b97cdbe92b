import type { MarkdownIt, Token } from 'markdown-it'
import { noElements } from './open-elements.ts'
import { escapeIncompleteTags } from './raw-html.ts'
import type { RenderEnv } from './render-env.ts'
import { sanitize } from './sanitize.ts'

/**
 * Renders block by block. HTML made from Markdown is safe by construction; blocks with raw HTML, up
 * to the one that closes its elements, are rendered with the renderer's own elements signed, and
 * then sanitized. A test checks that both ways have the same output.
 */
export function renderSegments(
  md: MarkdownIt,
  tokens: readonly Token[],
  env: RenderEnv,
  nonce: string,
): string {
  const parts: string[] = []
  for (const { from, to, foreign } of segmentsOf(tokens)) {
    const inside = { ...env, nonce: foreign ? nonce : undefined, open: noElements() }
    const html = md.renderer.render(tokens.slice(from, to), md.options, inside)
    parts.push(foreign ? sanitize(html, nonce, env.context) : html)
  }
  return parts.join('')
}

interface Segment {
  from: number
  to: number
  foreign: boolean
}

function segmentsOf(tokens: readonly Token[]): Segment[] {
  const segments: Segment[] = []
  let open = 0
  for (let from = 0; from < tokens.length; ) {
    const to = endOfBlock(tokens, from)
    const raw = rawIn(tokens, from, to)
    const foreign = open > 0 || raw.found
    open = Math.max(0, open + raw.opened)
    const last = segments.at(-1)
    if (last?.foreign === foreign) last.to = to
    else segments.push({ from, to, foreign })
    from = to
  }
  return segments
}

function endOfBlock(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at += 1) {
    depth += tokens[at]?.nesting ?? 0
    if (depth <= 0) return at + 1
  }
  return tokens.length
}

/** Whether a block contains raw HTML, and how many spanning elements it leaves open. */
function rawIn(tokens: readonly Token[], from: number, to: number) {
  const raw: string[] = []
  for (let at = from; at < to; at += 1) {
    const { type, content, children } = tokens[at] ?? {}
    if (type === 'html_block' && content !== undefined) raw.push(content)
    for (const child of children ?? []) if (child.type === 'html_inline') raw.push(child.content)
  }
  if (raw.length === 0) return { found: false, opened: 0 }
  const elements = noElements()
  const opened = raw.reduce((sum, html) => sum + escapeIncompleteTags(html, elements).opened, 0)
  return { found: true, opened }
}
