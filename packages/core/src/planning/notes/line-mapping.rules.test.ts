import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DiffLine } from './diff-line.rules.ts'
import {
  type Hunk,
  mapLine,
  mapLineBack,
  newNumberOfRemoved,
  oldNumberOfAdded,
} from './line-mapping.rules.ts'

/** Replaces lines 3 and 4 by one line, and inserts two lines before line 8. */
const hunks: Hunk[] = [
  { oldStart: 3, oldCount: 2, newStart: 3, newCount: 1 },
  { oldStart: 8, oldCount: 0, newStart: 7, newCount: 2 },
]

describe('mapLine', () => {
  it('shifts the lines after a hunk, and has no line for a removed one', () => {
    const lines = [1, 2, 3, 4, 5, 7, 8, 100].map((line) => mapLine(hunks, line))
    expect(lines).toEqual([1, 2, undefined, undefined, 4, 6, 9, 101])
  })

  it('returns the same line for a file without a change', () => {
    expect(mapLine([], 7)).toBe(7)
  })
})

describe('mapLineBack', () => {
  it('shifts the lines back, and has no line for an added one', () => {
    const lines = [1, 2, 3, 4, 6, 7, 8, 9, 101].map((line) => mapLineBack(hunks, line))
    expect(lines).toEqual([1, 2, undefined, 5, 7, undefined, undefined, 8, 100])
  })
})

const kinds = fc.array(fc.constantFrom<DiffLine['kind']>('added', 'removed', 'unchanged'), {
  maxLength: 40,
})

/** Git writes the removed lines of a block before the added ones. */
function inGitOrder(lines: readonly DiffLine['kind'][]): DiffLine['kind'][] {
  return lines
    .join(' ')
    .split('unchanged')
    .map((block) => block.trim().split(' ').filter(Boolean).toSorted().toReversed())
    .flatMap((block, index) => (index === 0 ? block : ['unchanged', ...block])) as never
}

/** The lines of a diff with their numbers, and its hunks. */
function build(lines: readonly DiffLine['kind'][]): { numbered: DiffLine[]; hunks: Hunk[] } {
  let [oldLine, newLine] = [1, 1]
  let open: Hunk | undefined
  const built: { numbered: DiffLine[]; hunks: Hunk[] } = { numbered: [], hunks: [] }
  for (const kind of inGitOrder(lines)) {
    built.numbered.push({ kind, oldLine, newLine })
    if (kind === 'unchanged') open = undefined
    else if (open === undefined) {
      open = { oldStart: oldLine, oldCount: 0, newStart: newLine, newCount: 0 }
      built.hunks.push(open)
    }
    if (open !== undefined) open[kind === 'added' ? 'newCount' : 'oldCount'] += 1
    if (kind !== 'added') oldLine += 1
    if (kind !== 'removed') newLine += 1
  }
  return built
}

describe('the mapping of any diff', () => {
  it('gives every line the numbers that the diff gives it', () => {
    fc.assert(
      fc.property(kinds, (lines) => {
        const built = build(lines)
        for (const { kind, oldLine, newLine } of built.numbered) {
          const [to, back] = [mapLine(built.hunks, oldLine), mapLineBack(built.hunks, newLine)]
          if (kind === 'unchanged') expect([to, back]).toEqual([newLine, oldLine])
          if (kind === 'removed') {
            expect([to, newNumberOfRemoved(built.hunks, oldLine)]).toEqual([undefined, newLine])
          }
          if (kind === 'added') {
            expect([back, oldNumberOfAdded(built.hunks, newLine)]).toEqual([undefined, oldLine])
          }
        }
      }),
    )
  })
})
