import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  positionGap,
  positionIn,
  respacedCounts,
  spacingIn,
  sufficientGap,
} from './relative-position.rules.ts'

const bound = 2 ** 51
const position = fc.integer({ min: -bound, max: bound })

describe('positionIn', () => {
  it('is strictly between two neighbours, unless they are next to each other', () => {
    fc.assert(
      fc.property(position, fc.integer({ min: 0, max: bound }), (after, distance) => {
        const before = after + distance
        const middle = positionIn({ after, before })
        const isBetween = middle !== undefined && middle > after && middle < before
        expect(isBetween).toBe(distance > 1)
        expect(middle === undefined || Number.isSafeInteger(middle)).toBe(true)
      }),
    )
  })

  it('keeps the gap at the ends', () => {
    expect(positionIn({ after: null, before: null })).toBe(0)
    expect(positionIn({ after: 7, before: null })).toBe(7 + positionGap)
    expect(positionIn({ after: null, before: 7 })).toBe(7 - positionGap)
  })
})

describe('spacingIn', () => {
  const count = fc.integer({ min: 1, max: 2048 })

  it('fits all rows between two neighbours', () => {
    fc.assert(
      fc.property(position, count, fc.integer({ min: 1, max: 2 ** 20 }), (after, rows, gap) => {
        const before = after + gap * (rows + 1)
        const spacing = spacingIn({ after, before }, rows)
        expect(spacing).toEqual({ from: after, gap })
      }),
    )
  })

  it('gives the whole gap at the ends', () => {
    fc.assert(
      fc.property(position, count, (end, rows) => {
        expect(spacingIn({ after: end, before: null }, rows).from).toBe(end)
        const { from, gap } = spacingIn({ after: null, before: end }, rows)
        expect([gap, from + gap * rows]).toEqual([positionGap, end - positionGap])
      }),
    )
  })
})

it('sufficientGap grows fourfold where the count doubles, and is far below the gap', () => {
  const gaps = respacedCounts.map(sufficientGap)
  expect(gaps).toEqual([2 ** 8, 2 ** 10, 2 ** 12, 2 ** 14, 2 ** 16, 2 ** 18])
  expect(positionGap / Math.max(...gaps)).toBeGreaterThanOrEqual(256)
})
