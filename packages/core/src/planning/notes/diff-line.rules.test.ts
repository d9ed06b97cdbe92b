import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type DiffLine,
  diffLines,
  findDiffLine,
  findLineOnSide,
  lineCode,
  numbersOf,
} from './diff-line.rules.ts'

/** A change of one file: unchanged, removed and added lines, in order. */
interface Step {
  kind: DiffLine['kind']
  text: string
}

/** Texts that look like parts of a diff are the hard cases. */
const text = fc.oneof(
  fc.constantFrom(
    '',
    '-- a/x',
    '++ b/x',
    '@ -1 +1 @@',
    '@@ -9,9 +9,9 @@',
    '\\ No',
    '\r',
    'a\u2028b',
  ),
  fc.string().map((value) => value.replaceAll('\n', '')),
)
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('added', 'removed', 'unchanged'),
  text,
})

const signs = { added: '+', removed: '-', unchanged: ' ' }

/**
 * Formats a change like git: in hunks with some lines of context, or with the whole file as
 * context.
 */
function write(steps: readonly Step[], context: number): { diff: string; shown: DiffLine[] } {
  const numbered = number(steps)
  const near = numbered.map((_, index) =>
    numbered
      .slice(Math.max(0, index - context), index + context + 1)
      .some(({ kind }) => kind !== 'unchanged'),
  )
  let diff = '--- a/file\n+++ b/file\n'
  const shown: DiffLine[] = []
  for (let at = 0; at < numbered.length; ) {
    if (!near[at]) {
      at += 1
      continue
    }
    const end = near.indexOf(false, at)
    const hunk = numbered.slice(at, end < 0 ? numbered.length : end)
    diff += header(hunk) + hunk.map(({ kind, text: line }) => `${signs[kind]}${line}\n`).join('')
    shown.push(...hunk.map(({ kind, oldLine, newLine }) => ({ kind, oldLine, newLine })))
    at += hunk.length
  }
  return { diff: `${diff}\\ No newline at end of file\n`, shown }
}

function number(steps: readonly Step[]): (Step & DiffLine)[] {
  let [oldLine, newLine] = [1, 1]
  return steps.map((entry) => {
    const line = { ...entry, oldLine, newLine }
    if (entry.kind !== 'added') oldLine += 1
    if (entry.kind !== 'removed') newLine += 1
    return line
  })
}

function header(hunk: readonly DiffLine[]): string {
  const side = (number: 'oldLine' | 'newLine', without: DiffLine['kind']) => {
    const count = hunk.filter(({ kind }) => kind !== without).length
    const start = (hunk[0]?.[number] ?? 0) - (count === 0 ? 1 : 0)
    return count === 1 ? `${start}` : `${start},${count}`
  }
  return `@@ -${side('oldLine', 'added')} +${side('newLine', 'removed')} @@ function ()\n`
}

const change = fc.record({
  steps: fc.array(step, { maxLength: 40 }),
  context: fc.integer({ min: 0, max: 3 }),
})

describe('diffLines', () => {
  it('parses the lines of a hunk with their numbers on both sides', () => {
    const diff = '--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+three\n'
    expect([...diffLines(diff)]).toEqual([
      { kind: 'unchanged', oldLine: 1, newLine: 1 },
      { kind: 'removed', oldLine: 2, newLine: 2 },
      { kind: 'added', oldLine: 3, newLine: 2 },
      { kind: 'added', oldLine: 3, newLine: 3 },
    ])
  })

  it('round-trips any diff, whatever its lines look like', () => {
    fc.assert(
      fc.property(change, ({ steps, context }) => {
        const { diff, shown } = write(steps, context)
        expect([...diffLines(diff)]).toEqual(shown)
      }),
    )
  })

  it('terminates for any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (start, end) => {
        for (const line of diffLines(`${start}\n@@ -1,9999999999 +1,99 @@\n${end}`)) {
          expect(line.oldLine).toBeGreaterThan(0)
          expect(line.newLine).toBeGreaterThan(0)
        }
      }),
    )
  })

  it('returns none for a binary file, and for an empty diff', () => {
    expect([...diffLines('Binary files a/x and b/x differ\n')]).toEqual([])
    expect([...diffLines('')]).toEqual([])
  })
})

describe('findDiffLine', () => {
  it('finds each line by its own numbers, and nothing by other numbers', () => {
    fc.assert(
      fc.property(change, ({ steps, context }) => {
        const { diff, shown } = write(steps, context)
        for (const line of shown) expect(findDiffLine(diff, numbersOf(line))).toEqual(line)
        expect(findDiffLine(diff, { oldLine: null, newLine: null })).toBeUndefined()
        const beyond = steps.length + 1
        expect(findDiffLine(diff, { oldLine: null, newLine: beyond })).toBeUndefined()
        for (const { kind, oldLine, newLine } of shown) {
          if (kind !== 'unchanged') {
            expect(findDiffLine(diff, { oldLine, newLine })?.kind ?? 'unchanged').toBe('unchanged')
          }
        }
      }),
    )
  })
})

describe('findLineOnSide', () => {
  it('finds only numbers that the side of the diff contains', () => {
    fc.assert(
      fc.property(change, ({ steps, context }) => {
        const { diff, shown } = write(steps, context)
        for (const [side, without] of [
          ['new', 'removed'],
          ['old', 'added'],
        ] as const) {
          const numbers = shown
            .filter(({ kind }) => kind !== without)
            .map((line) => line[`${side}Line`])
          for (let number = -1; number <= steps.length + 1; number += 1) {
            const found = findLineOnSide(diff, side, number)
            expect(found?.[`${side}Line`]).toBe(numbers.includes(number) ? number : undefined)
            expect(found?.kind).not.toBe(without)
          }
        }
      }),
    )
  })
})

describe('lineCode', () => {
  it('joins the hash of the path and both numbers', () => {
    expect(lineCode('ab12', { oldLine: 3, newLine: 14 })).toBe('ab12_3_14')
  })

  it('is different for each line of a diff', () => {
    fc.assert(
      fc.property(change, ({ steps, context }) => {
        const { shown } = write(steps, context)
        expect(new Set(shown.map((line) => lineCode('x', line))).size).toBe(shown.length)
      }),
    )
  })
})
