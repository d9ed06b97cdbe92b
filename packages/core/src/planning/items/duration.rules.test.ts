import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { humanDuration, maxDuration, parseDuration } from './duration.rules.ts'

describe('humanDuration', () => {
  it.each([
    [60, '1m'],
    [3600, '1h'],
    [12_600, '3h 30m'],
    [28_800, '1d'],
    [144_000, '1w'],
    [270_000, '1w 4d 3h'],
    [576_000, '1mo'],
    [576_061, '1mo 1m 1s'],
    [2_147_483_647, '3728mo 1w 3h 14m 7s'],
  ])('%i seconds are %s', (seconds, text) => {
    expect(humanDuration(seconds)).toBe(text)
  })

  it.each([0, -1, -3600])('%i seconds are null', (seconds) => {
    expect(humanDuration(seconds)).toBeNull()
  })

  const sizes: Record<string, number> = { mo: 576_000, w: 144_000, d: 28_800, h: 3600, m: 60, s: 1 }
  const read = (text: string) =>
    text.split(' ').map((part) => {
      const [, count, unit] = /^([1-9]\d*)([a-z]+)$/.exec(part) ?? []
      return { count: Number(count), unit: unit ?? '', size: sizes[unit ?? ''] ?? Number.NaN }
    })
  const seconds = fc.integer({ min: 1, max: 2_147_483_647 })

  it('loses no precision', () => {
    fc.assert(
      fc.property(seconds, (total) => {
        const parts = read(humanDuration(total) ?? '')
        expect(parts.reduce((sum, { count, size }) => sum + count * size, 0)).toBe(total)
      }),
    )
  })

  it('uses each unit once, largest first, below the size of the next one', () => {
    fc.assert(
      fc.property(seconds, (total) => {
        const parts = read(humanDuration(total) ?? '')
        parts.forEach(({ count, size }, index) => {
          const above = parts[index - 1]
          if (above !== undefined) expect(above.size).toBeGreaterThan(count * size)
        })
      }),
    )
  })
})

describe('parseDuration', () => {
  it.each([
    ['3h30m', 12_600],
    ['1w 3d 2h 14m', 238_440],
    ['30m 3h', 12_600],
    ['1mo', 576_000],
    ['1mo 1m', 576_060],
    ['1.5h', 5400],
    ['.5h', 1800],
    ['2', 7200],
    ['1.5', 5400],
    ['-1h 30m', -5400],
    ['- 2', -7200],
    ['1h 1h', 7200],
    ['2 h 3 m', 7380],
    ['5s', 5],
    ['1H', 3600],
    [' 1h ', 3600],
    ['0', 0],
    ['-0h', 0],
    ['9999999mo', maxDuration],
    [`-${'9'.repeat(500)}`, -maxDuration],
  ])('%j is %i seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })

  it.each([
    '',
    ' ',
    '-',
    'h',
    '1x',
    '1h x',
    'one',
    '1h 30',
    '1h-30m',
    '--1h',
    '1,5h',
    '1e3',
    '1..5h',
    '1.h',
    '1h,2m',
  ])('%j is not valid', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })

  it('parses every formatted duration', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: maxDuration }), (seconds) => {
        const text = humanDuration(seconds) ?? ''
        expect(parseDuration(text)).toBe(seconds)
        expect(parseDuration(`-${text}`)).toBe(-seconds)
        expect(parseDuration(text.replaceAll(' ', ''))).toBe(seconds)
        expect(parseDuration(text.split(' ').toReversed().join('  '))).toBe(seconds)
      }),
    )
  })

  it('returns seconds within bounds, or undefined, in linear time', () => {
    const piece = fc.oneof(
      fc.constantFrom('mo', 'w', 'h', 'm', ' ', '-', '.', '1', '99'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const seconds = parseDuration(pieces.join('')) ?? 0
        expect(Number.isInteger(seconds)).toBe(true)
        expect(Math.abs(seconds)).toBeLessThanOrEqual(maxDuration)
      }),
    )
    expect(parseDuration('1'.repeat(200_000))).toBe(maxDuration)
    expect(parseDuration(`${'1m'.repeat(100_000)}x`)).toBeUndefined()
    expect(parseDuration(`${' '.repeat(200_000)}x`)).toBeUndefined()
  })
})
