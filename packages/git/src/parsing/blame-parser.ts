import { createLineReader } from './line-reader.ts'

/** Adjacent lines last changed by the same commit. */
export interface BlamedLines {
  oid: string
  /** Without line breaks; invalid UTF-8 is replaced. */
  lines: string[]
}

/** Parses `git blame --porcelain` from chunks of any size. */
export interface BlameParser {
  push(chunk: Buffer): void
  /** All lines parsed so far, in order. */
  readonly ranges: BlamedLines[]
}

const tab = 0x09
/** Enough for a line of minified code; the output has a limit of its own. */
const defaultLineBytes = 32 * 1024 * 1024
const header = /^([0-9a-f]{40}) \d+ \d+/

/** Creates a parser; a line of the file over `maxLineBytes` is cut. */
export function createBlameParser(maxLineBytes = defaultLineBytes): BlameParser {
  const ranges: BlamedLines[] = []
  let oid = ''
  const readLine = (line: Buffer) => {
    // Only the lines of the file start with a tab.
    if (line[0] !== tab) {
      oid = header.exec(line.toString('latin1'))?.[1] ?? oid
      return
    }
    const last = ranges.at(-1)
    const text = line.toString('utf8', 1)
    if (last?.oid === oid) last.lines.push(text)
    else ranges.push({ oid, lines: [text] })
  }
  const reader = createLineReader(readLine, { maxBytes: maxLineBytes })
  return {
    ranges,
    push(chunk) {
      reader.push(chunk)
    },
  }
}
