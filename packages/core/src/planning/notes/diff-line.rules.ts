/**
 * A line in a diff. Both numbers start at 1; an added line has the old number of its position, a
 * removed one the new number of its position.
 */
export interface DiffLine {
  kind: 'added' | 'removed' | 'unchanged'
  oldLine: number
  newLine: number
}

const hunkStart = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/**
 * Iterates over the lines of one file's unified diff. The length of a hunk comes from its header,
 * so a line that looks like a header is not mistaken for one; text outside of hunks is skipped.
 */
export function* diffLines(diff: string): Generator<DiffLine, undefined> {
  let [oldLine, newLine, oldLeft, newLeft] = [0, 0, 0, 0]
  for (const text of splitLines(diff)) {
    if (oldLeft <= 0 && newLeft <= 0) {
      const hunk = hunkStart.exec(text)
      if (hunk === null) continue
      const [, oldStart, oldCount = '1', newStart, newCount = '1'] = hunk
      ;[oldLeft, newLeft] = [Number(oldCount), Number(newCount)]
      // For an empty side, the header has the number of the preceding line.
      oldLine = Number(oldStart) + (oldLeft === 0 ? 1 : 0)
      newLine = Number(newStart) + (newLeft === 0 ? 1 : 0)
      continue
    }
    const kind = kindOf(text)
    if (kind === undefined) continue
    yield { kind, oldLine, newLine }
    if (kind !== 'added') {
      oldLine += 1
      oldLeft -= 1
    }
    if (kind !== 'removed') {
      newLine += 1
      newLeft -= 1
    }
  }
}

/** Splits at line feeds only, as git counts lines, without keeping them all in memory. */
function* splitLines(text: string): Generator<string, undefined> {
  let at = 0
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const stop = end < 0 ? text.length : end
    yield text.slice(at, stop)
    at = stop + 1
  }
}

/** Undefined for `\ No newline at end of file`. */
function kindOf(line: string): DiffLine['kind'] | undefined {
  if (line.startsWith('+')) return 'added'
  if (line.startsWith('-')) return 'removed'
  return line.startsWith('\\') ? undefined : 'unchanged'
}

/** Identifies a line of a diff by its numbers in the old and the new file. */
export interface LineNumbers {
  oldLine: number | null
  newLine: number | null
}

/** The numbers by which a position identifies a line: both only when it is unchanged. */
export function numbersOf(line: DiffLine): LineNumbers {
  return {
    oldLine: line.kind === 'added' ? null : line.oldLine,
    newLine: line.kind === 'removed' ? null : line.newLine,
  }
}

/** Finds the line with exactly these numbers; undefined when the diff does not contain it. */
export function findDiffLine(diff: string, wanted: LineNumbers): DiffLine | undefined {
  for (const line of diffLines(diff)) {
    const { oldLine, newLine } = numbersOf(line)
    if (oldLine === wanted.oldLine && newLine === wanted.newLine) return line
  }
  return undefined
}

/** Finds the line with this number in the new or the old file, changed or not. */
export function findLineOnSide(
  diff: string,
  side: 'new' | 'old',
  number: number,
): DiffLine | undefined {
  for (const line of diffLines(diff)) {
    const numbers = numbersOf(line)
    if ((side === 'new' ? numbers.newLine : numbers.oldLine) === number) return line
  }
  return undefined
}

/** `<hash of the path>_<old>_<new>`: identifies a line of a diff. @param pathHash SHA-1 in hex */
export function lineCode(pathHash: string, line: Pick<DiffLine, 'oldLine' | 'newLine'>): string {
  return `${pathHash}_${line.oldLine}_${line.newLine}`
}
