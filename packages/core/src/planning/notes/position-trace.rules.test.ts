import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Hunk } from './line-mapping.rules.ts'
import type { NotePosition, TextPosition } from './note.schema.ts'
import { type DiffUpdate, type FileChanges, tracePosition } from './position-trace.rules.ts'

/** Lines of a file, each by a number of its own, in ascending order. */
type Lines = readonly number[]

/** The hunks between two files that have their common lines in the same order. */
function hunksBetween(from: Lines, to: Lines): Hunk[] {
  const hunks: Hunk[] = []
  let [oldLine, newLine] = [1, 1]
  let open: Hunk | undefined
  for (const line of [...new Set([...from, ...to])].toSorted((a, b) => a - b)) {
    const [isOld, isNew] = [from.includes(line), to.includes(line)]
    if (isOld && isNew) open = undefined
    else if (open === undefined) {
      open = { oldStart: oldLine, oldCount: 0, newStart: newLine, newCount: 0 }
      hunks.push(open)
    }
    if (open !== undefined) open[isOld ? 'oldCount' : 'newCount'] += 1
    if (isOld) oldLine += 1
    if (isNew) newLine += 1
  }
  return hunks
}

/** The changes of one file; none if both are the same. */
function changesBetween(from: Lines, to: Lines, path = 'a', newPath = path): FileChanges {
  const hunks = hunksBetween(from, to)
  const file = { oldPath: path, newPath, hunks }
  const isChanged = hunks.length > 0 || path !== newPath
  return {
    byOldPath: (name) => (isChanged && name === path ? file : undefined),
    byNewPath: (name) => (isChanged && name === newPath ? file : undefined),
  }
}

const refs = { baseSha: 'c', startSha: 's', headSha: 'd' }
const shas = { base_sha: 'c', start_sha: 's', head_sha: 'd' }
const before = { base_sha: 'a', start_sha: 'a', head_sha: 'b', old_path: 'a', new_path: 'a' }

/** The number of a line in a file; null if it isn't there. */
const numberIn = (file: Lines, line: number) =>
  file.includes(line) ? file.indexOf(line) + 1 : null

/** Some of the lines, or most of them: files that have little in common, or much. */
const file = fc
  .record({ lines: fc.uniqueArray(fc.integer({ min: 0, max: 30 })), isMost: fc.boolean() })
  .map(({ lines, isMost }) =>
    Array.from({ length: 31 }, (_, line) => line).filter((line) => lines.includes(line) !== isMost),
  )

/** The numbers of a line in a diff, on both sides: git writes the removed lines of a block first. */
function numbersIn(line: number, from: Lines, to: Lines) {
  const common = from.filter((other) => to.includes(other))
  const next = common.find((other) => other >= line) ?? Number.POSITIVE_INFINITY
  const last = common.findLast((other) => other <= line) ?? -1
  const oldLine = numberIn(from, line) ?? 1 + from.filter((other) => other < next).length
  const newLine = numberIn(to, line) ?? 1 + to.filter((other) => other <= last).length
  return { oldLine, newLine }
}

/** Whether a position is still there: what the files say, without any hunks. */
function expected(line: number, [a, b, c, d]: readonly [Lines, Lines, Lines, Lines]) {
  const [old_line, new_line] = [numberIn(c, line), numberIn(d, line)]
  if (a.includes(line) && old_line === null) return undefined
  if (b.includes(line) && new_line === null) return undefined
  // Removed: the head may not have it again.
  if (!b.includes(line) && new_line !== null) return undefined
  return hunksBetween(c, d).length > 0 ? { old_line, new_line } : undefined
}

describe('tracePosition', () => {
  it('finds every line of any diff in any later one of its file', () => {
    fc.assert(
      fc.property(fc.tuple(file, file, file, file), (files) => {
        const [a, b, c, d] = files
        const update: DiffUpdate = {
          base: changesBetween(a, c),
          head: changesBetween(b, d),
          diff: changesBetween(c, d),
        }
        for (const line of new Set([...a, ...b])) {
          const lines = { old_line: numberIn(a, line), new_line: numberIn(b, line) }
          const position: TextPosition = { ...before, position_type: 'text', ...lines }
          const traced = tracePosition(position, refs, update)
          const found = expected(line, files)
          expect(traced.outdated).toBe(found === undefined)
          if (traced.outdated) continue
          expect(traced.position).toEqual({ ...position, ...shas, ...found })
          expect(traced.line).toEqual(numbersIn(line, c, d))
        }
      }),
    )
  })

  const none: FileChanges = { byOldPath: () => undefined, byNewPath: () => undefined }
  const unknown: FileChanges = {
    byOldPath: () => ({ oldPath: 'a', newPath: 'a', hunks: undefined }),
    byNewPath: () => ({ oldPath: 'a', newPath: 'a', hunks: undefined }),
  }
  const text = (old_line: number | null, new_line: number | null): NotePosition => ({
    ...before,
    position_type: 'text',
    old_line,
    new_line,
  })
  const image: NotePosition = { ...before, position_type: 'image', width: 1, height: 1, x: 0, y: 0 }

  it.each([text(null, 1), text(1, null), text(1, 1), image])(
    'says that %j is outdated without its file',
    (position) => {
      const update = { base: none, head: none, diff: none }
      expect(tracePosition(position, refs, update)).toEqual({
        outdated: true,
        changedBy: undefined,
      })
    },
  )

  it.each([text(null, 1), text(1, null), text(1, 1)])(
    'says that %j is outdated in a file that can not be compared',
    (position) => {
      expect(tracePosition(position, refs, { base: none, head: none, diff: unknown })).toEqual({
        outdated: true,
        changedBy: undefined,
      })
      expect(
        tracePosition(position, refs, { base: unknown, head: unknown, diff: unknown }),
      ).toMatchObject({
        outdated: true,
      })
    },
  )

  it('says that an unchanged line is outdated if the diff matches other lines', () => {
    const update = { base: none, head: none, diff: changesBetween([2, 3], [1, 2]) }
    expect(tracePosition(text(1, 1), refs, update)).toEqual({
      outdated: true,
      changedBy: undefined,
    })
    expect(tracePosition(text(1, 2), refs, update)).toMatchObject({ outdated: false })
  })

  it('names the place that changed a line, and the file for an image', () => {
    const update = { base: none, head: changesBetween([1, 2], [1, 3], 'a', 'b'), diff: none }
    expect(tracePosition(text(null, 2), refs, update)).toEqual({
      outdated: true,
      changedBy: { path: 'b', line: { oldLine: 2, newLine: 2 } },
    })
    expect(tracePosition(image, refs, update)).toEqual({
      outdated: true,
      changedBy: { path: 'b', line: null },
    })
  })

  it('follows renames of either side', () => {
    const update = {
      base: changesBetween([1, 2], [1, 2], 'a', 'c'),
      head: changesBetween([1, 2, 3], [0, 1, 2, 3], 'a', 'd'),
      diff: changesBetween([1, 2], [0, 1, 2, 3], 'c', 'd'),
    }
    const paths = { old_path: 'c', new_path: 'd' }
    expect(tracePosition(text(null, 3), refs, update)).toMatchObject({
      position: { ...paths, old_line: null, new_line: 4 },
    })
    expect(tracePosition(text(2, 2), refs, update)).toMatchObject({
      position: { ...paths, old_line: 2, new_line: 3 },
    })
  })
})
