import { fencedBlocks } from '../references/code-lines.rules.ts'

/** The most suggestions of one comment; blocks after them stay code. */
export const maxSuggestions = 50
/** The most lines above and below the commented one that a suggestion replaces. */
export const maxSuggestedLines = 100
/** The longest lines that a suggestion replaces, together, in characters. */
export const maxReplacedLength = 16 * 1024

/** New text for the commented line and its neighbours. */
export interface SuggestedChange {
  linesAbove: number
  linesBelow: number
  /** Complete lines; empty to delete the old ones. */
  content: string
}

const tag = /^suggestion(?::(?:-(\d{1,9}))?(?:\+(\d{1,9}))?)?(?:\s|$)/

/**
 * The changes that a comment on a diff suggests: its code blocks tagged `suggestion`, or
 * `suggestion:-<n>+<m>` to replace n lines above and m lines below the commented one as well, each
 * at most `maxSuggestedLines`.
 */
export function parseSuggestions(text: string): SuggestedChange[] {
  if (!text.includes('suggestion')) return []
  const found = fencedBlocks(text).flatMap(({ info, content }) => {
    const match = tag.exec(info)
    if (match === null) return []
    const [, above = '0', below = '0'] = match
    return { linesAbove: bounded(above), linesBelow: bounded(below), content }
  })
  return found.slice(0, maxSuggestions)
}

function bounded(digits: string): number {
  return Math.min(Number(digits), maxSuggestedLines)
}

/** Lines of a file by number, from 1. */
export interface LineRange {
  from: number
  /** The last one. */
  to: number
}

/** The lines that a suggestion on a line replaces; those before the first do not exist. */
export function suggestedRange(
  line: number,
  { linesAbove, linesBelow }: Pick<SuggestedChange, 'linesAbove' | 'linesBelow'>,
): LineRange {
  return { from: Math.max(1, line - linesAbove), to: line + linesBelow }
}

/** The lines of a range, with their ends; those that do not exist are left out. */
export function linesOf(text: string, { from, to }: LineRange): string {
  const start = offsetOfLine(text, from, 0)
  return text.slice(start, offsetOfLine(text, to - from + 2, start))
}

/**
 * The text after lines are replaced: with the line ends of the old ones, and without one at the end
 * of the text if there was none.
 */
export function replaceLines(text: string, { from, to }: LineRange, content: string): string {
  const start = offsetOfLine(text, from, 0)
  const end = offsetOfLine(text, to - from + 2, start)
  const lineEnd = lineEndOf(text.slice(start, end)) ?? lineEndOf(text) ?? '\n'
  const added = content.replaceAll('\n', lineEnd)
  const isLast = end === text.length && end > start && !text.endsWith('\n')
  const replaced = isLast && added.endsWith(lineEnd) ? added.slice(0, -lineEnd.length) : added
  return text.slice(0, start) + replaced + text.slice(end)
}

/** Whether a suggestion changes the lines that it replaces, whatever ends they have. */
export function changesLines(lines: string, content: string): boolean {
  return withPlainEnds(lines) !== withPlainEnds(content)
}

function withPlainEnds(lines: string): string {
  const plain = lines.replaceAll('\r\n', '\n')
  return plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`
}

/** The offset of the `line`th line after an offset, from 1; the end if there are fewer. */
function offsetOfLine(text: string, line: number, after: number): number {
  let offset = after
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', offset)
    if (end === -1) return text.length
    offset = end + 1
  }
  return offset
}

function lineEndOf(text: string): string | undefined {
  const at = text.indexOf('\n')
  if (at === -1) return undefined
  return text[at - 1] === '\r' ? '\r\n' : '\n'
}
