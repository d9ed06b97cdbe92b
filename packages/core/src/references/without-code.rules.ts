import { codeLineReader } from './code-lines.rules.ts'

/** A list item or a heading: what is opened before it is not closed in it. */
const beginsBlock = /^\s*(?:[-+*]|\d{1,9}[.)]|#{1,6})\s/

/** A part of a text: from `start` up to `end`, the end left out. */
interface Part {
  start: number
  end: number
}

/**
 * The text with blanks in place of what Markdown does not read as text: blocks of code, code spans and HTML
 * comments. Of the same length, with its line ends where they were, so that what is found in it stands at the
 * same place in the original. Takes time in proportion to the text, whatever that holds.
 */
export function withoutCode(text: string): string {
  // Most texts have none of it, and need no second look.
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
    const line = text.slice(Math.max(start, resumeAt), end)
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
      paragraph = { start: paragraph?.start ?? Math.max(start, resumeAt), end }
    }
  }
  finish()
  return blank(text, hidden)
}

/** The lines of a text, without their ends. */
function* linesOf(text: string): Generator<Part> {
  let start = 0
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\n|\r/g)) {
    yield { start, end: index }
    start = index + lineEnd.length
  }
  yield { start, end: text.length }
}

/** A comment that begins a line goes on over blank lines, and to the end of the text where nothing ends it. */
function endOfComment(text: string, start: number): number {
  const found = text.indexOf('-->', start)
  return found === -1 ? text.length : found + 3
}

/** Code spans and comments within a paragraph; what is opened and not closed is text. */
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
 * Tells where what a mark opens ends: a code span with as many backticks as it began with. The places are
 * asked for in rising order, so each list is walked once.
 */
function closersIn(piece: string): (mark: string, from: number) => number | undefined {
  const places = new Map<string, { starts: number[]; next: number }>()
  const add = (mark: string, index: number) => {
    const known = places.get(mark)
    if (known === undefined) places.set(mark, { starts: [index], next: 0 })
    else known.starts.push(index)
  }
  for (const { 0: mark, index } of piece.matchAll(/`+|-->/g)) add(mark, index)
  return (mark, from) => {
    const closer = mark === '<!--' ? '-->' : mark
    const list = places.get(closer)
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
