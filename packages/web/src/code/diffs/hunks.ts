/** What a change does to a line. */
export type LineKind = 'context' | 'added' | 'removed'

export interface DiffLine {
  kind: LineKind
  /** The number before and after the change; null on the side that doesn't have the line. */
  oldLine: number | null
  newLine: number | null
  /** The next number of each side, by which lines are addressed: `<hash of the path>_10_12`. */
  position: { old: number; new: number }
  text: string
  /** The part that differs from the line that it replaces, or is replaced by: start and end. */
  changed?: readonly [number, number]
  /** Whether the file ends here, without a line break. */
  isUnterminated?: boolean
}

/** Adjacent lines of a diff. */
export interface Hunk {
  /** `@@ -1,4 +1,6 @@`. */
  range: string
  /** The function or section that it is in, as git found it. */
  section: string
  lines: DiffLine[]
}

const header = /^(@@ -(\d{1,10})(?:,\d{1,10})? \+(\d{1,10})(?:,\d{1,10})? @@) ?(.*)$/

/** Parses the diff of one file as git writes it; what stands before the first hunk is left out. */
export function parseHunks(diff: string): Hunk[] {
  const hunks: Hunk[] = []
  const position = { old: 0, new: 0 }
  for (const line of diff.split('\n')) {
    const start = line.startsWith('@@ ') ? header.exec(line) : null
    if (start !== null) {
      const [, range = '', old, next, section = ''] = start
      position.old = Number(old)
      position.new = Number(next)
      hunks.push({ range, section, lines: [] })
    } else {
      const hunk = hunks.at(-1)
      if (hunk !== undefined) addLine(hunk.lines, line, position)
    }
  }
  for (const { lines } of hunks) markChangedParts(lines)
  return hunks
}

const kinds: Readonly<Record<string, LineKind>> = { ' ': 'context', '+': 'added', '-': 'removed' }

function addLine(lines: DiffLine[], line: string, position: DiffLine['position']): void {
  const kind = kinds[line.charAt(0)]
  if (kind === undefined) {
    const last = lines.at(-1)
    if (line.startsWith('\\') && last !== undefined) last.isUnterminated = true
    return
  }
  lines.push({
    kind,
    oldLine: kind === 'added' ? null : position.old,
    newLine: kind === 'removed' ? null : position.new,
    position: { ...position },
    text: line.slice(1),
  })
  if (kind !== 'added') position.old += 1
  if (kind !== 'removed') position.new += 1
}

/** Lines that were replaced by as many lines are compared with those. */
function markChangedParts(lines: readonly DiffLine[]): void {
  let at = 0
  while (at < lines.length) {
    const removed = runOf(lines, at, 'removed')
    const added = runOf(lines, at + removed.length, 'added')
    if (removed.length === added.length) {
      for (const [index, before] of removed.entries()) {
        const after = added[index]
        if (after !== undefined) markPair(before, after)
      }
    }
    at += Math.max(removed.length + added.length, 1)
  }
}

function runOf(lines: readonly DiffLine[], start: number, kind: LineKind): DiffLine[] {
  let end = start
  while (lines[end]?.kind === kind) end += 1
  return lines.slice(start, end)
}

/** Longer lines are not compared. */
const maxCompared = 2000
/** If less than this part of the longer line is the same, all of it counts as changed. */
const leastCommon = 0.25

function markPair(before: DiffLine, after: DiffLine): void {
  const [one, other] = [before.text, after.text]
  const longest = Math.max(one.length, other.length)
  if (longest > maxCompared || one === other) return
  const start = commonStart(one, other)
  const end = commonEnd(one, other, Math.min(one.length, other.length) - start)
  const blanks = one.slice(0, start).trim() === '' && one.slice(one.length - end).trim() === ''
  if (blanks || start + end < longest * leastCommon) return
  before.changed = [start, one.length - end]
  after.changed = [start, other.length - end]
}

function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one[length] === other[length]) length += 1
  return isHighSurrogate(one, length - 1) ? length - 1 : length
}

function commonEnd(one: string, other: string, most: number): number {
  let length = 0
  while (length < most && one[one.length - 1 - length] === other[other.length - 1 - length]) {
    length += 1
  }
  return isLowSurrogate(one, one.length - length) ? length - 1 : length
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xd800 && code < 0xdc00
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code < 0xe000
}

/** Lines that a diff adds and removes, without parsing it. */
export function countChanges(diff: string): { added: number; removed: number } {
  const counts = { added: 0, removed: 0 }
  let at = diff.startsWith('@@ ') ? 0 : diff.indexOf('\n@@ ')
  while (at >= 0) {
    const first = diff.charAt(at === 0 ? 0 : at + 1)
    if (first === '+') counts.added += 1
    else if (first === '-') counts.removed += 1
    at = diff.indexOf('\n', at + 1)
  }
  return counts
}
