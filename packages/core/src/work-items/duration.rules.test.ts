import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { humanDuration } from './duration.rules.ts'

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

  it.each([0, -1, -3600])('%i seconds are nothing', (seconds) => {
    expect(humanDuration(seconds)).toBeNull()
  })

  const sizes: Record<string, number> = { mo: 576_000, w: 144_000, d: 28_800, h: 3600, m: 60, s: 1 }
  const read = (text: string) =>
    text.split(' ').map((part) => {
      const [, count, unit] = /^([1-9]\d*)([a-z]+)$/.exec(part) ?? []
      return { count: Number(count), unit: unit ?? '', size: sizes[unit ?? ''] ?? Number.NaN }
    })
  const seconds = fc.integer({ min: 1, max: 2_147_483_647 })

  it('loses nothing', () => {
    fc.assert(
      fc.property(seconds, (total) => {
        const parts = read(humanDuration(total) ?? '')
        expect(parts.reduce((sum, { count, size }) => sum + count * size, 0)).toBe(total)
      }),
    )
  })

  it('names each unit once, the largest first, and none that would fill the next', () => {
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
