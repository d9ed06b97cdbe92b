const fence = /^(?:\s{0,3}>)*\s*(?:(?:[-+*]|\d{1,9}\.)\s+)*(`{3,}(?=[^`]*$)|~{3,})(.*)$/
const listItem = /^(?:\s{0,3}>)*\s{0,3}(?:[-+*]|\d{1,9}\.)\s/
const indented = /^(?: {4}| {0,3}\t)/

/** What stands above a line and decides how it is read. */
interface Position {
  /** The marks that opened the block of code that the line is in. */
  fence: string | undefined
  /** Whether deep indentation continues a list, rather than being code. */
  inList: boolean
  afterBlank: boolean
  inIndentedCode: boolean
}

/**
 * A reader that is given the lines of a Markdown text in their order, without their ends, and tells of each
 * whether it belongs to a block of code, fenced or indented; the marks of a fence belong to it.
 */
export function codeLineReader(): (line: string) => boolean {
  const position: Position = {
    fence: undefined,
    inList: false,
    afterBlank: true,
    inIndentedCode: false,
  }
  return (line) => isCode(line, position)
}

function isCode(line: string, position: Position): boolean {
  if (position.fence !== undefined) {
    if (closes(line, position.fence)) position.fence = undefined
    return true
  }
  if (line.trim() === '') {
    position.afterBlank = true
    return false
  }
  const { afterBlank } = position
  position.afterBlank = false
  if (indented.test(line) && !position.inList) {
    // An indented line behind text continues the paragraph.
    position.inIndentedCode = position.inIndentedCode || afterBlank
    if (position.inIndentedCode) return true
  } else {
    position.inIndentedCode = false
  }
  position.fence = fence.exec(line)?.[1]
  if (listItem.test(line)) position.inList = true
  else if (!/^\s/.test(line) && afterBlank) position.inList = false
  return position.fence !== undefined
}

/** A fence ends with marks of its own kind, at least as many, and nothing behind them. */
function closes(line: string, opening: string): boolean {
  const marks = line.replace(/^(?:\s{0,3}>)*\s*/, '').trimEnd()
  return marks.startsWith(opening) && marks === opening.charAt(0).repeat(marks.length)
}
