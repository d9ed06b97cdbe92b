import type { MarkdownIt, Token } from 'markdown-it'

/** Removes links inside links, which HTML forbids: the outer one remains. */
export function nestedLinks(md: MarkdownIt): void {
  md.core.ruler.before('text_join', 'nested-links', ({ tokens }) => {
    for (const inline of tokens) {
      const { children, content } = inline
      // Only an `<address>` can be parsed as a link within another one.
      if (children !== null && content.includes('<') && hasNested(children))
        inline.children = withoutNested(children)
    }
  })
}

function hasNested(children: readonly Token[]): boolean {
  let depth = 0
  return children.some(({ type }) => {
    if (type === 'link_open') depth += 1
    if (type === 'link_close') depth -= 1
    return depth > 1
  })
}

function withoutNested(children: readonly Token[]): Token[] {
  let depth = 0
  return children.filter((token) => {
    if (token.type === 'link_open') {
      depth += 1
      return depth === 1
    }
    if (token.type === 'link_close') {
      depth -= 1
      return depth === 0
    }
    return true
  })
}
