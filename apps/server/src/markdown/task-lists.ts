import type { MarkdownIt, Token } from 'markdown-it'
import { escapeHtml } from '../sign-in/html.ts'

const box = /^\[([ xX])\](?=\s)/

/** Makes `- [ ] open` and `- [x] done` boxes, the items and lists that have them marked as such. */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'task-lists', ({ tokens }) => {
    const lists: Token[] = []
    for (const [index, token] of tokens.entries()) {
      if (isListOpen(token)) lists.push(token)
      else if (isListClose(token)) lists.pop()
      else if (token.type === 'inline') markItem(tokens, index, lists.at(-1))
    }
  })
}

function isListOpen({ type }: Token): boolean {
  return type === 'bullet_list_open' || type === 'ordered_list_open'
}

function isListClose({ type }: Token): boolean {
  return type === 'bullet_list_close' || type === 'ordered_list_close'
}

/** The text at `index`, if it is the first in its item and begins with a box. */
function markItem(tokens: readonly Token[], index: number, list: Token | undefined): void {
  const item = tokens[index - 2]
  const first = tokens[index]?.children?.[0]
  if (item?.type !== 'list_item_open' || tokens[index - 1]?.type !== 'paragraph_open') return
  const [found, mark] = (first?.type === 'text' && box.exec(first.content)) || []
  if (found === undefined || first === undefined || list === undefined) return
  const checked = mark === ' ' ? '' : ' checked'
  first.type = 'html_inline'
  const rest = escapeHtml(first.content.slice(found.length))
  first.content = `<input type="checkbox" disabled${checked}>${rest}`
  item.attrSet('class', 'task-list-item')
  list.attrSet('class', 'task-list')
}
