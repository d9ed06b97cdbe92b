import { type Reference, type ReferenceTarget, referenceKey, scanReferences } from '@stithy/core'
import type { MarkdownIt, Token } from 'markdown-it'
import type { ResolvedReference } from './render-context.ts'
import { escapeText, formatAttributes, ownMark, type RenderEnv } from './render-env.ts'
import { type Piece, replaceInTexts } from './text-pieces.ts'

/** Maximum number of different references per text; further ones remain text. */
const maxReferences = 1000

/** Without a match, a text has no references. */
const mayContainReference = /[#!$&%~@]|[0-9a-f]{7}/i

/**
 * Prepended to a text while it is scanned, so that its start is parsed neither as code nor as a
 * list.
 */
const before = '. '

/** Finds references in GFM text, outside of code, links and images. */
export function references(md: MarkdownIt): void {
  md.core.ruler.before('text_join', 'references', ({ tokens, env, Token: TokenClass }) => {
    const { context } = env as RenderEnv
    if (!context.gfm) return
    const make = (target: Reference, content: string, fallback?: Token[]) => {
      const token = new TokenClass('reference', '', 0)
      token.content = content
      token.meta = { target, key: referenceKey(target), fallback }
      return token
    }
    for (const inline of tokens) {
      if (inline.type !== 'inline') continue
      if (inline.content.includes(context.webUrl)) {
        inline.children = withUrls(inline.children ?? [], context.webUrl, make)
      }
      if (!mayContainReference.test(inline.content)) continue
      inline.children = replaceInTexts(inline.children ?? [], TokenClass, (text, inLink) =>
        inLink ? [] : piecesOf(text, make),
      )
    }
  })
  md.renderer.rules.reference = (tokens, at, options, env, renderer) => {
    const token = tokens[at]
    const found = (env as RenderEnv).resolved.get(String(token?.meta?.key))
    if (found !== undefined) return formatReference(found, token?.content ?? '', env as RenderEnv)
    const fallback = token?.meta?.fallback as Token[] | undefined
    if (fallback !== undefined) return renderer.renderInline(fallback, options, env)
    return escapeText(token?.content ?? '')
  }
}

type Make = (target: Reference, content: string, fallback?: Token[]) => Token

function piecesOf(text: string, make: Make): Piece[] {
  if (!mayContainReference.test(text)) return []
  return scanReferences(before + text).map((target) => ({
    start: target.start - before.length,
    end: target.end - before.length,
    token: make(target, target.text),
  }))
}

/**
 * Bare URLs that name a resource of this service; those of unknown resources remain plain links.
 */
function withUrls(children: readonly Token[], webUrl: string, make: Make): Token[] {
  const result: Token[] = []
  for (let at = 0; at < children.length; at += 1) {
    const [open, text, close] = children.slice(at, at + 3)
    if (open === undefined) break
    const href = isBareLink(open) && close?.type === 'link_close' ? open.attrGet('href') : null
    const target = href === null ? undefined : targetOfUrl(String(href), webUrl)
    if (target === undefined || text === undefined || close === undefined) {
      result.push(open)
      continue
    }
    result.push(make(target, text.content, [open, text, close]))
    at += 2
  }
  return result
}

function isBareLink({ type, info }: Token): boolean {
  return type === 'link_open' && info === 'auto'
}

function targetOfUrl(url: string, webUrl: string): Reference | undefined {
  if (!url.startsWith(`${webUrl}/`)) return undefined
  const [found] = scanReferences(url, { webUrl })
  return found?.start === 0 && found.end === url.length ? found : undefined
}

function formatReference(found: ResolvedReference, original: string, env: RenderEnv): string {
  const { kind, type = kind, href, title, text, data, colors } = found
  const mark = ownMark(env)
  const attributes = formatAttributes({
    href,
    ...(title !== '' && { title }),
    class: `gfm gfm-${kind}`,
    'data-original': original,
    'data-reference-type': type,
    ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`data-${name}`, value])),
  })
  const label = colors
    ? `<span${mark} class="label color-label" style="background-color: ${colors.background}; color: ${colors.text}">${escapeText(text)}</span>`
    : escapeText(text)
  return `<a${mark}${attributes}>${label}</a>`
}

/** Collects the references of a text without duplicates, in order of appearance. */
export function collectReferences(tokens: readonly Token[]): Map<string, ReferenceTarget> {
  const found = new Map<string, ReferenceTarget>()
  for (const { children } of tokens) {
    for (const { type, meta } of children ?? []) {
      if (type !== 'reference' || found.size >= maxReferences) continue
      found.set(String(meta?.key), meta?.target as Reference)
    }
  }
  return found
}
