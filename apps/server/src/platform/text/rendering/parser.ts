import createMarkdown, { type MarkdownIt } from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { autolinks } from './autolinks.ts'
import { emojiCodes } from './emoji-codes.ts'
import { footnoteMarkup } from './footnotes.ts'
import { headingAnchors } from './headings.ts'
import { codeBlocks } from './highlighting.ts'
import { inlineDiffs } from './inline-diffs.ts'
import { isSafeAddress, linkAttributes } from './links.ts'
import { nestedLinks } from './nested-links.ts'
import { escapeIncompleteTags } from './raw-html.ts'
import { references } from './references.ts'
import { escapeText, formatAttributes, type RenderEnv } from './render-env.ts'
import { imageAttributes } from './sanitize.ts'
import { taskLists } from './task-lists.ts'
import { wikiLinks } from './wiki-links.ts'

/** Maximum nesting of blocks and of emphasis; deeper text is not parsed. */
const maxNesting = 50

/**
 * The standard parser with tables, strikethrough and autolinks.
 * @public the baseline of `pnpm bench markdown`
 */
export function createParser(): MarkdownIt {
  const md = createMarkdown({ html: true, linkify: true, xhtmlOut: true, maxNesting })
  // `read.me` is not a link; `autolinks` finds what GFM links beyond these.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  return md
}

/** GitHub-flavoured Markdown: `createParser` with task lists, footnotes and safe HTML. */
export function buildParser(): MarkdownIt {
  const md = createParser()
  md.use(footnotes).use(footnoteMarkup)
  return withFlavor(md)
}

/** The same for titles: footnotes would follow as blocks, and HTML is text. */
export function buildInlineParser(): MarkdownIt {
  const md = createParser()
  md.set({ html: false })
  return withFlavor(md)
}

function withFlavor(md: MarkdownIt): MarkdownIt {
  md.validateLink = (address) => isSafeAddress(address)
  md.use(autolinks)
    .use(taskLists)
    .use(references)
    .use(wikiLinks)
    .use(emojiCodes)
    .use(inlineDiffs)
    .use(headingAnchors)
    .use(codeBlocks)
  md.use(nestedLinks).use(tableAlignment).use(plainMarkup)
  return md
}

function tableAlignment(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'table-alignment', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== 'td_open' && token.type !== 'th_open') continue
      const style = token.attrGet('style')
      if (style === null) continue
      token.attrs = null
      token.attrSet('align', String(style).replace('text-align:', ''))
    }
  })
}

function plainMarkup(md: MarkdownIt): void {
  const { rules } = md.renderer
  rules.text = (tokens, at) => escapeText(tokens[at]?.content ?? '')
  rules.html_block = (tokens, at, _options, env) =>
    escapeIncompleteTags(tokens[at]?.content ?? '', (env as RenderEnv).open).html
  rules.html_inline = rules.html_block
  rules.link_open = (tokens, at, _options, env) => {
    const given = Object.fromEntries(tokens[at]?.attrs ?? []) as Record<string, string>
    return `<a${formatAttributes(linkAttributes(given, (env as RenderEnv).context))}>`
  }
  rules.image = (tokens, at, options, env, renderer) => {
    const token = tokens[at]
    const given = Object.fromEntries(token?.attrs ?? []) as Record<string, string>
    const alt = renderer.renderInlineAsText(token?.children ?? [], options, env)
    const attributes = imageAttributes({ ...given, alt }, (env as RenderEnv).context)
    return `<img${formatAttributes(attributes)} />`
  }
}
