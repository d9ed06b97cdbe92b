import type { MarkdownIt, Token } from 'markdown-it'
import { escapeAttribute, ownMark, type RenderEnv } from './render-env.ts'

/**
 * Adds anchors to GFM headings: `#their-words`, with ids that don't collide with those of the page.
 */
export function headingAnchors(md: MarkdownIt): void {
  md.core.ruler.push('heading-anchors', ({ tokens, env }) => {
    if (!(env as RenderEnv).context.gfm) return
    const taken = new Map<string, number>()
    for (let at = 0; at < tokens.length; at += 1) {
      const token = tokens[at]
      if (token?.type !== 'heading_open') continue
      const words = slugOf(tokens[at + 1]?.children ?? [])
      if (words === '') continue
      const times = taken.get(words) ?? 0
      taken.set(words, times + 1)
      token.meta = { slug: times === 0 ? words : `${words}-${times}` }
    }
  })
  md.renderer.rules.heading_open = (tokens, at, options, env, renderer) => {
    const tag = renderer.renderToken(tokens, at, options)
    const slug = tokens[at]?.meta?.slug
    if (slug === undefined) return tag
    const name = escapeAttribute(String(slug))
    const mark = ownMark(env as RenderEnv)
    return `${tag}<a${mark} id="user-content-${name}" class="anchor" href="#${name}" aria-hidden="true"></a>`
  }
}

function slugOf(children: readonly Token[]): string {
  const text = children
    .map(({ type, content }) => (/^(?:text|code_inline|reference)$/.test(type) ? content : ''))
    .join('')
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .trim()
    .replace(/[ -]+/g, '-')
    .slice(0, 200)
  return /^\d+$/.test(words) ? `anchor-${words}` : words
}
