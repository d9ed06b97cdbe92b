import type { MarkdownIt } from 'markdown-it'
import { findEmojiCodes } from '../emoji/emoji.ts'
import { escapeAttribute, ownMark, type RenderEnv } from './render-env.ts'
import { replaceInTexts } from './text-pieces.ts'

/** A cheap test: most texts contain colons, but few contain emoji codes. */
const likely = /:[a-z0-9_+-]+:/

/** Replaces `:tada:` by the emoji, in GFM. */
export function emojiCodes(md: MarkdownIt): void {
  md.core.ruler.before('text_join', 'emoji', ({ tokens, env, Token }) => {
    if (!(env as RenderEnv).context.gfm) return
    for (const inline of tokens) {
      if (inline.type !== 'inline' || !likely.test(inline.content)) continue
      inline.children = replaceInTexts(inline.children ?? [], Token, (text) =>
        findEmojiCodes(text).map(({ start, end, emoji }) => {
          const token = new Token('emoji', '', 0)
          token.content = emoji.glyph
          token.meta = { ...emoji }
          return { start, end, token }
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
