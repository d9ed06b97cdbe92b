/** Lines of a file. */
export interface Excerpt {
  data: string
  /** The number of the first line, from 1. */
  startline: number
}

/** Lines before and after the one with the text. */
const context = 2
/** Characters of a line; the rest is cut. */
const maxLineLength = 1000

/** The lines around the first place of a text, which is in lower case; undefined without one. */
export function excerptOf(content: string, text: string): Excerpt | undefined {
  if (text === '') return undefined
  // Lower case may have more characters, but as many lines.
  const lower = content.toLowerCase()
  const at = lower.indexOf(text)
  if (at < 0) return undefined
  const line = countLines(lower, at)
  return linesOf(content, Math.max(0, line - context), line + context + 1)
}

/** The first lines of a file. */
export function startOf(content: string): Excerpt {
  return linesOf(content, 0, 2 * context + 1)
}

/** How many lines end before an offset. */
function countLines(content: string, end: number): number {
  let count = 0
  for (let at = content.indexOf('\n'); at >= 0 && at < end; at = content.indexOf('\n', at + 1)) {
    count += 1
  }
  return count
}

/** The lines from `first` up to `end`, from 0. */
function linesOf(content: string, first: number, end: number): Excerpt {
  const lines: string[] = []
  let at = 0
  for (let number = 0; number < end && at < content.length; number += 1) {
    const lineEnd = content.indexOf('\n', at)
    const next = lineEnd < 0 ? content.length : lineEnd + 1
    if (number >= first) lines.push(cutLine(content.slice(at, next)))
    at = next
  }
  return { data: lines.join(''), startline: first + 1 }
}

function cutLine(line: string): string {
  if (line.length <= maxLineLength) return line
  return `${line.slice(0, maxLineLength).toWellFormed()}${line.endsWith('\n') ? '\n' : ''}`
}
