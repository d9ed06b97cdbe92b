import { codeLineReader } from './code-lines.rules.ts'

/** A list item or a heading: inline code can't span its start. */
const beginsBlock = /^\s*(?:[-+*]|\d{1,9}[.)]|#{1,6})\s/

/** A range of a text, end exclusive. */
interface Part {
  start: number
  end: number
}

/**
 * Replaces what Markdown does not parse as text by spaces: code blocks, code spans and HTML
 * comments. Length and line ends stay the same, so positions are valid in the original. Linear
 * time.
 */
export function withoutCode(text: string): string {
  // Most texts contain none of it and need no parsing.
  if (!/[`~]|<!--|^[ \t]/m.test(text)) return text
  const hidden: Part[] = []
  let paragraph: Part | undefined
  const finish = () => {
    if (paragraph !== undefined) hideInline(text, paragraph, hidden)
    paragraph = undefined
  }
  const isCode = codeLineReader()
  let resumeAt = 0
  for (const { start, end } of linesOf(text)) {
    if (end <= resumeAt) continue
    if (start < resumeAt) {
      // What follows a comment on its last line is text: neither a block of code nor a comment
      // over blank lines starts in the middle of a line.
      paragraph = { start: resumeAt, end }
      continue
    }
    const line = text.slice(start, end)
    if (isCode(line)) {
      finish()
      hidden.push({ start, end })
    } else if (/^ {0,3}<!--/.test(line)) {
      finish()
      resumeAt = endOfComment(text, start)
      hidden.push({ start, end: resumeAt })
      if (resumeAt < end) paragraph = { start: resumeAt, end }
    } else if (line.trim() === '') {
      finish()
    } else {
      if (beginsBlock.test(line)) finish()
      paragraph = { start: paragraph?.start ?? start, end }
    }
  }
  finish()
  return blank(text, hidden)
}

/** The lines of a text, without line ends. */
function* linesOf(text: string): Generator<Part> {
  let start = 0
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\n|\r/g)) {
    yield { start, end: index }
    start = index + lineEnd.length
  }
  yield { start, end: text.length }
}

/**
 * A comment that starts a line continues over blank lines, up to the end of the text if it is not
 * closed.
 */
function endOfComment(text: string, start: number): number {
  const found = text.indexOf('-->', start)
  return found === -1 ? text.length : found + 3
}

/** Hides code spans and comments within a paragraph; unclosed ones are text. */
function hideInline(text: string, paragraph: Part, hidden: Part[]): void {
  const piece = text.slice(paragraph.start, paragraph.end)
  const marks = [...piece.matchAll(/\\[\\`]|`+|<!--/g)]
  if (marks.length === 0) return
  const closers = closersIn(piece)
  let from = 0
  for (const { 0: mark, index } of marks) {
    if (index < from || mark.startsWith('\\')) continue
    const end = closers(mark, index + mark.length)
    if (end === undefined) continue
    hidden.push({ start: paragraph.start + index, end: paragraph.start + end })
    from = end
  }
}

/**
 * Creates a function that finds where a code span or comment ends; a code span has as many
 * backticks as at its start. Call it with ascending positions, so that each list is walked once.
 */
function closersIn(piece: string): (mark: string, from: number) => number | undefined {
  const positions = new Map<string, { starts: number[]; next: number }>()
  const add = (mark: string, index: number) => {
    const known = positions.get(mark)
    if (known === undefined) positions.set(mark, { starts: [index], next: 0 })
    else known.starts.push(index)
  }
  for (const { 0: mark, index } of piece.matchAll(/`+|-->/g)) add(mark, index)
  return (mark, from) => {
    const closer = mark === '<!--' ? '-->' : mark
    const list = positions.get(closer)
    if (list === undefined) return undefined
    let start = list.starts[list.next]
    while (start !== undefined && start < from) {
      list.next += 1
      start = list.starts[list.next]
    }
    return start === undefined ? undefined : start + closer.length
  }
}

function blank(text: string, hidden: readonly Part[]): string {
  const pieces: string[] = []
  let from = 0
  for (const { start, end } of hidden) {
    pieces.push(text.slice(from, start), text.slice(start, end).replace(/[^\r\n]/g, ' '))
    from = end
  }
  pieces.push(text.slice(from))
  return pieces.join('')
}
