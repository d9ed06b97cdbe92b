import createMarkdown, { type MarkdownIt } from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { allowedHtml } from './allowed-html.ts'
import { taskLists } from './task-lists.ts'

const markdown = buildMarkdown()

function buildMarkdown(): MarkdownIt {
  const md = createMarkdown({ html: true, linkify: true, maxNesting: 50 })
  // Only what is written as an address is one: `read.me` is no link.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  md.use(taskLists)
  md.core.ruler.after('inline', 'table-alignment', ({ tokens }) => {
    for (const token of tokens) {
      const style = token.attrGet('style')
      if (style === null || !/^t[dh]_open$/.test(token.type)) continue
      token.attrs = null
      token.attrSet('align', String(style).replace('text-align:', ''))
    }
  })
  return md
}

/** GitHub-flavoured Markdown (tables, strikethrough, bare addresses, task lists) as HTML that is safe. */
export function renderSafely(text: string): string {
  return sanitizeHtml(markdown.render(text), allowedHtml)
}
