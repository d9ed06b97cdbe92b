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

const newline = 0x0a
const tab = 0x09
const header = /^([0-9a-f]{40}) \d+ \d+/

/** Creates a parser. */
export function createBlameParser(): BlameParser {
  const ranges: BlamedLines[] = []
  let rest: Buffer = Buffer.alloc(0)
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
  return {
    ranges,
    push(chunk) {
      const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let at = 0
      for (let end = data.indexOf(newline); end >= 0; end = data.indexOf(newline, at)) {
        readLine(data.subarray(at, end))
        at = end + 1
      }
      rest = data.subarray(at)
    },
  }
}
