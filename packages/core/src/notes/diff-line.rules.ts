/**
 * A line that a diff shows. Both numbers count from 1; an added line has the old number at which it was
 * put in, a removed one the new number at which it was.
 */
export interface DiffLine {
  kind: 'added' | 'removed' | 'unchanged'
  oldLine: number
  newLine: number
}

const hunkStart = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/**
 * The lines of one file's unified diff, in their order. How long a hunk is its header says, so a line
 * that looks like a header is none; what does not belong to a hunk is passed over.
 */
export function* diffLines(diff: string): Generator<DiffLine, undefined> {
  let [oldLine, newLine, oldLeft, newLeft] = [0, 0, 0, 0]
  for (const text of splitLines(diff)) {
    if (oldLeft <= 0 && newLeft <= 0) {
      const hunk = hunkStart.exec(text)
      if (hunk === null) continue
      const [, oldStart, oldCount = '1', newStart, newCount = '1'] = hunk
      ;[oldLeft, newLeft] = [Number(oldCount), Number(newCount)]
      // An empty side is told by the number of the line before it.
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

/** By line feeds alone, as git counts lines, and without holding them all. */
function* splitLines(text: string): Generator<string, undefined> {
  let at = 0
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const stop = end < 0 ? text.length : end
    yield text.slice(at, stop)
    at = stop + 1
  }
}

/** Undefined for the remark that a file has no line feed at its end. */
function kindOf(line: string): DiffLine['kind'] | undefined {
  if (line.startsWith('+')) return 'added'
  if (line.startsWith('-')) return 'removed'
  return line.startsWith('\\') ? undefined : 'unchanged'
}

/** Which line of a diff is meant: by its numbers in the old and the new file. */
export interface LineNumbers {
  oldLine: number | null
  newLine: number | null
}

/** The numbers by which a position names a line: both only where it is unchanged. */
export function numbersOf(line: DiffLine): LineNumbers {
  return {
    oldLine: line.kind === 'added' ? null : line.oldLine,
    newLine: line.kind === 'removed' ? null : line.newLine,
  }
}

/** The line of exactly these numbers; undefined where the diff shows none. */
export function findDiffLine(diff: string, wanted: LineNumbers): DiffLine | undefined {
  for (const line of diffLines(diff)) {
    const { oldLine, newLine } = numbersOf(line)
    if (oldLine === wanted.oldLine && newLine === wanted.newLine) return line
  }
  return undefined
}

/** The line that has this number in the new or the old file, changed or not. */
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

/** `<hash of the path>_<old>_<new>`: tells a line of a diff apart. @param pathHash SHA-1 in hex */
export function lineCode(pathHash: string, line: Pick<DiffLine, 'oldLine' | 'newLine'>): string {
  return `${pathHash}_${line.oldLine}_${line.newLine}`
}
