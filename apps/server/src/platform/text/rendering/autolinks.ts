import type { MarkdownIt } from 'markdown-it'
import { linkAttributes } from './links.ts'
import { escapeText, formatAttributes, type RenderEnv } from './render-env.ts'
import { replaceInTexts } from './text-pieces.ts'

/**
 * GFM autolinks, without a scheme and without `<>`: `www.` with a domain, and e-mail addresses.
 * Neither starts within a word, so a text is scanned once.
 */
const address =
  /(?<![\p{L}\p{N}._+\-@/:&])(?:www(?:\.[\p{L}\p{N}_-]+)+[^\s<]*|[a-z0-9._+-]+@[a-z0-9_-]+(?:\.[a-z0-9_-]+)+)/giu

/** Longer ones are not linked. */
const maxLength = 2000

/** Turns bare URLs and e-mail addresses into links. */
export function autolinks(md: MarkdownIt): void {
  md.core.ruler.after('linkify', 'autolinks', ({ tokens, Token }) => {
    for (const inline of tokens) {
      if (inline.type !== 'inline' || !/@|www\./i.test(inline.content)) continue
      inline.children = replaceInTexts(inline.children ?? [], Token, (text, inLink) =>
        inLink ? [] : addressesIn(text).map((found) => ({ ...found, token: linkOf(found.text) })),
      )
    }
    function linkOf(text: string) {
      const token = new Token('bare_address', '', 0)
      token.content = text
      return token
    }
  })
  md.renderer.rules.bare_address = (tokens, at, _options, env) => {
    const text = tokens[at]?.content ?? ''
    const scheme = /^www\./i.test(text) ? 'http://' : 'mailto:'
    const href = md.normalizeLink(scheme + text)
    const { context } = env as RenderEnv
    return `<a${formatAttributes(linkAttributes({ href }, context))}>${escapeText(text)}</a>`
  }
}

function addressesIn(text: string): { start: number; end: number; text: string }[] {
  return [...text.matchAll(address)].flatMap(({ index, 0: found }) => {
    const trimmed = withoutPunctuation(found)
    if (trimmed.length > maxLength || /[-_]$/.test(trimmed)) return []
    return [{ start: index, end: index + trimmed.length, text: trimmed }]
  })
}

/** Trailing punctuation, and closing brackets opened before the address, belong to the sentence. */
function withoutPunctuation(found: string): string {
  let end = found.length
  let unbalanced = found.split(')').length - found.split('(').length
  while (end > 0) {
    const last = found.charAt(end - 1)
    if (last === ')' && unbalanced > 0) unbalanced -= 1
    else if (!/[?!.,:;*_~'"]/.test(last)) break
    end -= 1
  }
  return found.slice(0, end)
}
