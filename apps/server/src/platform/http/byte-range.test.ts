import { describe, expect, it } from 'vitest'
import { requestedRange } from './byte-range.ts'

const rangeOf = (range: string, size = 10, ifRange?: string) =>
  requestedRange(
    { range, ...(ifRange === undefined ? {} : { 'if-range': ifRange }) },
    '"tag"',
    size,
  )

describe('requestedRange', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-5', { start: 2, end: 5 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['BYTES= 2-99 ', { start: 2, end: 9 }],
    [`bytes=0-${'9'.repeat(400)}`, { start: 0, end: 9 }],
  ])('%s is a part', (header, expected) => {
    expect(rangeOf(header)).toEqual(expected)
  })

  it.each(['bytes=10-', 'bytes=10-12', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
    '%s is not satisfiable',
    (header) => {
      expect(rangeOf(header)).toBe('unsatisfiable')
    },
  )

  it.each(['bytes=0-1,4-5', 'bytes=5-2', 'bytes=-', 'bytes=a-b', 'lines=0-1', '0-1', 'bytes 0-1'])(
    '%s is ignored',
    (header) => {
      expect(rangeOf(header)).toBeUndefined()
    },
  )

  it('is all of an empty file, or none of it', () => {
    expect(rangeOf('bytes=-5', 0)).toBeUndefined()
    expect(rangeOf('bytes=0-', 0)).toBe('unsatisfiable')
  })

  it('is ignored unless the entity tag of If-Range is the same, and strong', () => {
    expect(rangeOf('bytes=0-1', 10, '"tag"')).toEqual({ start: 0, end: 1 })
    for (const other of ['"other"', 'W/"tag"', 'Sat, 01 Jan 2000 00:00:00 GMT']) {
      expect(rangeOf('bytes=0-1', 10, other)).toBeUndefined()
    }
  })
})
