import type { MarkdownIt } from 'markdown-it'
import { escapeText, ownMark, type RenderEnv } from './render-env.ts'

/** Maximum characters to highlight, per block and per text; longer code is not highlighted. */
const maxBlock = 50_000
const maxInAll = 100_000

/**
 * Renders code blocks with the name of their language and, if `env.highlight` supports it, syntax
 * highlighting.
 */
export function codeBlocks(md: MarkdownIt): void {
  md.renderer.rules.fence = (tokens, at, _options, env) => {
    const { info = '', content = '' } = tokens[at] ?? {}
    const [language = ''] = md.utils.unescapeAll(info).trim().split(/\s+/)
    if (language === '') return `<pre><code>${escapeText(content)}</code></pre>\n`
    return fence(content, language, env as RenderEnv)
  }
  md.renderer.rules.code_block = (tokens, at) =>
    `<pre><code>${escapeText(tokens[at]?.content ?? '')}</code></pre>\n`
  md.renderer.rules.code_inline = (tokens, at) =>
    `<code>${escapeText(tokens[at]?.content ?? '')}</code>`
}

function fence(content: string, language: string, env: RenderEnv): string {
  const name = escapeText(language).replaceAll('"', '&quot;')
  const marked = env.highlight?.(content, language.toLowerCase())
  if (marked === undefined) {
    return `<pre><code class="language-${name}">${escapeText(content)}</code></pre>\n`
  }
  const mark = ownMark(env)
  const code = mark === '' ? marked : marked.replaceAll('<span ', `<span${mark} `)
  return `<pre><code${mark} class="hljs language-${name}">${code}</code></pre>\n`
}

/**
 * Creates a highlighter for one text. The grammars are loaded on first use: 200 languages take
 * longer than most texts.
 */
export async function openHighlighter(): Promise<NonNullable<RenderEnv['highlight']>> {
  const { default: library } = await import('highlight.js')
  let left = maxInAll
  return (code, language) => {
    if (code.length > Math.min(maxBlock, left)) return undefined
    if (library.getLanguage(language) === undefined) return undefined
    left -= code.length
    const { value } = library.highlight(code, { language, ignoreIllegals: true })
    return value.replaceAll('&quot;', '"').replaceAll('&#x27;', "'")
  }
}
