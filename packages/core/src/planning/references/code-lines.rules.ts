const listItem = /^(?:\s{0,3}>)*\s{0,3}(?:[-+*]|\d{1,9}\.)\s/
const indented = /^(?: {4}| {0,3}\t)/

/** Context from the preceding lines. */
interface Position {
  /** The opening fence of the code block that contains the line. */
  fence: string | undefined
  /** Whether deep indentation continues a list item instead of starting code. */
  inList: boolean
  afterBlank: boolean
  inIndentedCode: boolean
}

/**
 * Creates a reader that takes the lines of a Markdown text in order, without line ends, and returns
 * whether a line belongs to a code block, fenced or indented; fences themselves do.
 */
export function codeLineReader(): (line: string) => boolean {
  const position = startPosition()
  return (line) => isCode(line, position)
}

/** A fenced code block. */
export interface FencedBlock {
  /** What follows the opening fence, such as the language. */
  info: string
  /** The lines between the fences, each with a line feed. */
  content: string
}

/**
 * The fenced code blocks of a Markdown text, except those in lists and quotes. One that nothing
 * closes ends with the text.
 */
export function fencedBlocks(text: string): FencedBlock[] {
  const position = startPosition()
  const blocks: FencedBlock[] = []
  let open: { info: string; indent: number; lines: string[] } | undefined
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const { fence: before } = position
    isCode(line, position)
    if (before === undefined && position.fence !== undefined) {
      open = openedBlock(line, position.fence)
    } else if (before !== undefined && position.fence === undefined) {
      if (open !== undefined) blocks.push(closedBlock(open))
      open = undefined
    } else {
      open?.lines.push(line)
    }
  }
  return open === undefined ? blocks : [...blocks, closedBlock(open)]
}

/** Undefined for a block in a list or quote. */
function openedBlock(line: string, fence: string) {
  const rest = line.trimStart()
  if (!rest.startsWith(fence)) return undefined
  return { info: rest.slice(fence.length).trim(), indent: line.length - rest.length, lines: [] }
}

function closedBlock({ info, indent, lines }: { info: string; indent: number; lines: string[] }) {
  // The content may be indented like its fence.
  const indentOf = (line: string) => Math.min(indent, line.length - line.trimStart().length)
  return { info, content: lines.map((line) => `${line.slice(indentOf(line))}\n`).join('') }
}

function startPosition(): Position {
  return { fence: undefined, inList: false, afterBlank: true, inIndentedCode: false }
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
    // An indented line after text continues the paragraph.
    position.inIndentedCode = position.inIndentedCode || afterBlank
    if (position.inIndentedCode) return true
  } else {
    position.inIndentedCode = false
  }
  position.fence = openingFence(line)
  if (listItem.test(line)) position.inList = true
  else if (!/^\s/.test(line) && afterBlank) position.inList = false
  return position.fence !== undefined
}

/** The fence that a line opens, behind quote and list markers. */
function openingFence(line: string): string | undefined {
  const start = skipAll(/\s*(?:[-+*]|\d{1,9}\.)\s/y, line, skipAll(/\s{0,3}>/y, line, 0))
  const [fence] = /^(?:`{3,}|~{3,})/.exec(line.slice(start).trimStart()) ?? []
  // What follows backticks may not contain any, or they would be code in a line.
  const isInline =
    fence?.startsWith('`') && line.includes('`', line.indexOf(fence, start) + fence.length)
  return isInline ? undefined : fence
}

/**
 * The position behind all consecutive matches of a sticky pattern. Each match begins where the last
 * one ended, so a pattern that is linear stays so.
 */
function skipAll(pattern: RegExp, line: string, from: number): number {
  let at = from
  for (pattern.lastIndex = at; pattern.test(line); ) at = pattern.lastIndex
  return at
}

/** A closing fence has the same character, at least the same length, and nothing after it. */
function closes(line: string, opening: string): boolean {
  const marks = line.replace(/^(?:\s{0,3}>)*\s*/, '').trimEnd()
  return marks.startsWith(opening) && marks === opening.charAt(0).repeat(marks.length)
}
