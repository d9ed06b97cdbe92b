import { maxWikiTitleLength, wikiSlugOf } from '@stithy/core'
import type { MarkdownIt, StateInline } from 'markdown-it'
import { isSafeAddress } from './links.ts'
import type { RenderEnv } from './render-env.ts'

/** The longest text between the brackets: a title, and the page that it leads to. */
const maxLength = 2 * maxWikiTitleLength

/**
 * Links to pages of a wiki from its other pages: `[[Page]]` and `[[Title|page]]`. They start at the root
 * of the wiki, wherever the page is that has them.
 */
export function wikiLinks(md: MarkdownIt): void {
  md.inline.ruler.before('link', 'wiki-link', wikiLink)
}

/** Where the next brackets are: each text is searched for them once, whatever it opens. */
interface Brackets {
  /** Where the search began. */
  from: number
  close: number
  /** The last ones that open before `close`. */
  open: number
}

const found = new WeakMap<object, Brackets>()

function wikiLink(state: StateInline, isSilent: boolean): boolean {
  const { src, pos, env } = state
  if (!src.startsWith('[[', pos) || (env as RenderEnv).context.project?.wiki === undefined) {
    return false
  }
  const { open, close } = bracketsAfter(state, src, pos)
  if (open !== pos || close - pos > maxLength || close >= state.posMax) return false
  const link = readLink(src.slice(pos + 2, close))
  if (link === undefined) return false
  state.pos = close + 2
  if (isSilent) return true
  state.push('link_open', 'a', 1).attrs = [['href', link.address]]
  state.push('text', '', 0).content = link.text
  state.push('link_close', 'a', -1)
  return true
}

function bracketsAfter(state: object, src: string, pos: number): Brackets {
  const known = found.get(state)
  // The label of a link is read ahead, and what is in it once more.
  if (known !== undefined && known.from <= pos && pos < known.close) return known
  const end = src.indexOf(']]', pos + 2)
  const close = end < 0 ? Number.POSITIVE_INFINITY : end
  const brackets = { from: pos, close, open: end < 0 ? -1 : src.lastIndexOf('[[', end - 1) }
  found.set(state, brackets)
  return brackets
}

/** Undefined for what names no page. */
function readLink(inner: string): { text: string; address: string } | undefined {
  if (inner.includes('\n')) return undefined
  const bar = inner.indexOf('|')
  const text = (bar < 0 ? inner : inner.slice(0, bar)).trim()
  const target = (bar < 0 ? inner : inner.slice(bar + 1)).trim()
  if (text === '' || target === '') return undefined
  if (/^https?:/i.test(target)) return isSafeAddress(target) ? { text, address: target } : undefined
  const hash = target.indexOf('#')
  const page = hash < 0 ? target : target.slice(0, hash)
  const fragment = hash < 0 ? '' : `#${encodeURIComponent(target.slice(hash + 1))}`
  if (page === '') return { text, address: fragment }
  const titled = page.isWellFormed() ? wikiSlugOf(page) : undefined
  if (titled === undefined || 'error' in titled) return undefined
  return {
    text,
    address: `/${titled.slug.split('/').map(encodeURIComponent).join('/')}${fragment}`,
  }
}
