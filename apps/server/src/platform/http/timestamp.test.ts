import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { timestampOrNull, timestampText } from './timestamp.ts'

describe('timestampText', () => {
  it('agrees with Date, also before the epoch and far from it', () => {
    const timestamps = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 })
    fc.assert(
      fc.property(timestamps, (at) => {
        expect(timestampText(at)).toBe(new Date(at).toISOString())
      }),
      { numRuns: 20_000 },
    )
  })

  it.each([0, -1, 999, 1000, 86_399_999, 86_400_000, Date.UTC(2024, 1, 29, 23, 59, 59, 999)])(
    'formats the boundaries of seconds, days and months: %i',
    (at) => {
      expect(timestampText(at)).toBe(new Date(at).toISOString())
    },
  )
})

describe('timestampOrNull', () => {
  it('returns null for null', () => {
    expect(timestampOrNull(null)).toBeNull()
    expect(timestampOrNull(0)).toBe('1970-01-01T00:00:00.000Z')
  })
})
