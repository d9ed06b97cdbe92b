import type { Token } from 'markdown-it'

/** A replacement of the characters from `start` to `end`. */
export interface Piece {
  start: number
  end: number
  token: Token
}

/** Replaces parts of the texts of an inline token; `find` gets whether a text is in a link. */
export function replaceInTexts(
  children: readonly Token[],
  TokenClass: typeof Token,
  find: (text: string, inLink: boolean) => readonly Piece[],
): Token[] {
  const result: Token[] = []
  let depth = 0
  for (const token of children) {
    depth += linkNesting(token)
    const pieces = token.type === 'text' ? find(token.content, depth > 0) : []
    if (pieces.length === 0) result.push(token)
    else for (const part of splitText(token, TokenClass, pieces)) result.push(part)
  }
  return result
}

function linkNesting(token: Token): number {
  if (token.type === 'link_open') return 1
  if (token.type === 'link_close') return -1
  if (token.type !== 'html_inline') return 0
  if (/^<a[\s>]/i.test(token.content)) return 1
  return /^<\/a\s*>/i.test(token.content) ? -1 : 0
}

function splitText(
  { content, level }: Token,
  TokenClass: typeof Token,
  pieces: readonly Piece[],
): Token[] {
  const textOf = (from: number, to: number) => {
    const text = new TokenClass('text', '', 0)
    return from < to ? [Object.assign(text, { content: content.slice(from, to), level })] : []
  }
  let from = 0
  const parts = pieces.flatMap(({ start, end, token }) => {
    const ahead = textOf(from, start)
    from = end
    return [...ahead, token]
  })
  return [...parts, ...textOf(from, content.length)]
}
