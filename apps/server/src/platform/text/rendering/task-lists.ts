import type { MarkdownIt, RendererRule, Token } from 'markdown-it'
import type { RenderEnv } from './render-env.ts'
import { ownAttribute } from './sanitize.ts'

const box = /^\[([ xX])\](?=\s)/

/**
 * Turns `- [ ] open` and `- [x] done` into checkboxes, and adds classes to their items and lists.
 */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'task-lists', ({ tokens, Token: TokenClass }) => {
    const lists: Token[] = []
    for (const [index, token] of tokens.entries()) {
      if (isListOpen(token)) lists.push(token)
      else if (isListClose(token)) lists.pop()
      else if (token.type === 'inline') markItem(tokens, index, lists.at(-1), TokenClass)
    }
  })
  const { rules } = md.renderer
  rules.task_box = (tokens, at) => {
    const checked = tokens[at]?.meta?.checked === true ? ' checked' : ''
    return `<input type="checkbox" class="task-list-item-checkbox" disabled${checked} />`
  }
  for (const name of ['bullet_list_open', 'ordered_list_open', 'list_item_open']) {
    rules[name] = signedTag
  }
}

const signedTag: RendererRule = (tokens, at, options, env, renderer) => {
  const token = tokens[at]
  const { nonce } = env as RenderEnv
  if (token !== undefined && nonce !== undefined && token.attrGet('class') !== null) {
    token.attrs = [[ownAttribute, nonce], ...(token.attrs ?? [])]
  }
  return renderer.renderToken(tokens, at, options)
}

function isListOpen({ type }: Token): boolean {
  return type === 'bullet_list_open' || type === 'ordered_list_open'
}

function isListClose({ type }: Token): boolean {
  return type === 'bullet_list_close' || type === 'ordered_list_close'
}

/** Replaces the text at `index`, if it is the first of its item and starts with a checkbox. */
function markItem(
  tokens: readonly Token[],
  index: number,
  list: Token | undefined,
  TokenClass: typeof Token,
): void {
  const item = tokens[index - 2]
  const children = tokens[index]?.children
  const first = children?.[0]
  if (item?.type !== 'list_item_open' || tokens[index - 1]?.type !== 'paragraph_open') return
  const [found, mark] = (first?.type === 'text' && box.exec(first.content)) || []
  if (found === undefined || first === undefined || list === undefined) return
  const token = new TokenClass('task_box', 'input', 0)
  token.meta = { checked: mark !== ' ' }
  first.content = first.content.slice(found.length)
  children?.unshift(token)
  item.attrSet('class', 'task-list-item')
  list.attrSet('class', 'task-list')
}
