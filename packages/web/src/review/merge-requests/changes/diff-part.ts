/** Lines of a long diff that one page shows. */
export const linesPerPart = 2000

/** A part of the diff of one file. */
export interface DiffPart {
  /** Begins with the header of a hunk, also in the middle of one. */
  diff: string
  /** From 1. */
  part: number
  parts: number
}

/** Cuts a part out of the diff of one file, so that a page stays small however long that is. */
export function diffPart(diff: string, asked: number): DiffPart {
  const total = countLines(diff)
  const parts = Math.max(1, Math.ceil(total / linesPerPart))
  const part = Math.min(asked, parts)
  if (parts === 1) return { diff, part, parts }
  const first = (part - 1) * linesPerPart
  return { diff: cut(diff, first, first + linesPerPart), part, parts }
}

function countLines(diff: string): number {
  let count = 0
  for (const line of hunkLines(diff)) if (!line.startsWith('@@')) count += 1
  return count
}

/** The lines of hunks and their headers, without what stands before the first one. */
function* hunkLines(diff: string): Generator<string> {
  let at = diff.startsWith('@@ ') ? 0 : diff.indexOf('\n@@ ') + 1
  if (at === 0 && !diff.startsWith('@@ ')) return
  while (at < diff.length) {
    const end = diff.indexOf('\n', at)
    const stop = end < 0 ? diff.length : end
    yield diff.slice(at, stop)
    at = stop + 1
  }
}

const header = /^@@ -(\d{1,10})(?:,\d{1,10})? \+(\d{1,10})/

function cut(diff: string, first: number, end: number): string {
  const lines: string[] = []
  const next = { old: 0, new: 0 }
  let index = 0
  for (const line of hunkLines(diff)) {
    const start = line.startsWith('@@') ? header.exec(line) : null
    if (start !== null) {
      next.old = Number(start[1])
      next.new = Number(start[2])
      if (index >= first && index < end) lines.push(line)
      continue
    }
    if (index >= end) break
    if (index >= first) {
      if (lines.length === 0) lines.push(`@@ -${next.old} +${next.new} @@`)
      lines.push(line)
    }
    index += 1
    if (!line.startsWith('+') && !line.startsWith('\\')) next.old += 1
    if (!line.startsWith('-') && !line.startsWith('\\')) next.new += 1
  }
  return `${lines.join('\n')}\n`
}
