import type { MarkdownIt } from 'markdown-it'
import { findEmoji } from '../emoji/emoji.ts'
import { escapeAttribute, ownMark, type RenderEnv } from './render-env.ts'
import { replaceInTexts } from './text-pieces.ts'

const code = /(?<![\p{L}\p{N}:]):([a-z0-9_+-]{1,50}):(?![\p{L}\p{N}:])/gu

/** A cheap test: most texts contain colons, but few contain emoji codes. */
const likely = /:[a-z0-9_+-]+:/

/** Replaces `:tada:` by the emoji, in GFM. */
export function emojiCodes(md: MarkdownIt): void {
  md.core.ruler.before('text_join', 'emoji', ({ tokens, env, Token }) => {
    if (!(env as RenderEnv).context.gfm) return
    for (const inline of tokens) {
      if (inline.type !== 'inline' || !likely.test(inline.content)) continue
      inline.children = replaceInTexts(inline.children ?? [], Token, (text) =>
        [...text.matchAll(code)].flatMap(({ index, 0: found, 1: name = '' }) => {
          const emoji = findEmoji(name)
          if (emoji === undefined) return []
          const token = new Token('emoji', '', 0)
          token.content = emoji.glyph
          token.meta = { ...emoji }
          return { start: index, end: index + found.length, token }
        }),
      )
    }
  })
  md.renderer.rules.emoji = (tokens, at, _options, env) => {
    const { content, meta } = tokens[at] ?? { content: '', meta: null }
    const title = escapeAttribute(String(meta?.description))
    const name = escapeAttribute(String(meta?.name))
    const mark = ownMark(env as RenderEnv)
    return `<gl-emoji${mark} title="${title}" data-name="${name}">${content}</gl-emoji>`
  }
}
