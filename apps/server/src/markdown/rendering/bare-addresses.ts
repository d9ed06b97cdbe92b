import type { MarkdownIt } from 'markdown-it'
import { linkAttributes } from './links.ts'
import { escapeText, formatAttributes, type RenderEnv } from './render-env.ts'
import { replaceInTexts } from './text-pieces.ts'

/**
 * What GFM takes for an address without `http://` or `<>` around it: `www.` with a domain, and addresses of
 * mail. Neither begins within a word, so that a text is gone through once.
 */
const address =
  /(?<![\p{L}\p{N}._+\-@/:&])(?:www(?:\.[\p{L}\p{N}_-]+)+[^\s<]*|[a-z0-9._+-]+@[a-z0-9_-]+(?:\.[a-z0-9_-]+)+)/giu

/** More is no address. */
const maxLength = 2000

/** Makes links of bare addresses. */
export function bareAddresses(md: MarkdownIt): void {
  md.core.ruler.after('linkify', 'bare-addresses', ({ tokens, Token }) => {
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
    const kept = withoutPunctuation(found)
    if (kept.length > maxLength || /[-_]$/.test(kept)) return []
    return [{ start: index, end: index + kept.length, text: kept }]
  })
}

/** Marks at the end, and brackets that were opened before the address, belong to the sentence. */
function withoutPunctuation(found: string): string {
  let end = found.length
  let unopened = found.split(')').length - found.split('(').length
  while (end > 0) {
    const last = found.charAt(end - 1)
    if (last === ')' && unopened > 0) unopened -= 1
    else if (!/[?!.,:;*_~'"]/.test(last)) break
    end -= 1
  }
  return found.slice(0, end)
}
