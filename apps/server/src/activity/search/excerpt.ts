import { foldCase } from '@stithy/core'

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
  const lower = foldCase(content)
  const at = lower.indexOf(text)
  if (at < 0) return undefined
  const line = countLines(lower, at)
  const hit = { line, column: at - (lower.lastIndexOf('\n', at - 1) + 1) }
  return linesOf(content, { first: Math.max(0, line - context), end: line + context + 1, hit })
}

/** The first lines of a file. */
export function startOf(content: string): Excerpt {
  return linesOf(content, { first: 0, end: 2 * context + 1 })
}

/** How many lines end before an offset. */
function countLines(content: string, end: number): number {
  let count = 0
  for (let at = content.indexOf('\n'); at >= 0 && at < end; at = content.indexOf('\n', at + 1)) {
    count += 1
  }
  return count
}

/** The lines from `first` up to `end`, and what must be seen of one of them; all from 0. */
interface Lines {
  first: number
  end: number
  hit?: { line: number; column: number }
}

function linesOf(content: string, { first, end, hit }: Lines): Excerpt {
  const lines: string[] = []
  let at = 0
  for (let number = 0; number < end && at < content.length; number += 1) {
    const lineEnd = content.indexOf('\n', at)
    const next = lineEnd < 0 ? content.length : lineEnd + 1
    const column = number === hit?.line ? hit.column : 0
    if (number >= first) lines.push(cutLine(content.slice(at, next), column))
    at = next
  }
  return { data: lines.join(''), startline: first + 1 }
}

/** Cuts a long line to the part around a column. */
function cutLine(line: string, column: number): string {
  if (line.length <= maxLineLength) return line
  const start = Math.max(0, Math.min(column - maxLineLength / 2, line.length - maxLineLength))
  const part = line.slice(start, start + maxLineLength).toWellFormed()
  return line.endsWith('\n') && !part.endsWith('\n') ? `${part}\n` : part
}
