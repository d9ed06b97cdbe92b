import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instantOrNull, instantText } from './instant.ts'

describe('instantText', () => {
  it('says what Date says, before the epoch and far from it, too', () => {
    const instants = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 })
    fc.assert(
      fc.property(instants, (at) => {
        expect(instantText(at)).toBe(new Date(at).toISOString())
      }),
      { numRuns: 20_000 },
    )
  })

  it.each([0, -1, 999, 1000, 86_399_999, 86_400_000, Date.UTC(2024, 1, 29, 23, 59, 59, 999)])(
    'tells the ends of seconds, days and months apart: %i',
    (at) => {
      expect(instantText(at)).toBe(new Date(at).toISOString())
    },
  )
})

describe('instantOrNull', () => {
  it('leaves null as it is', () => {
    expect(instantOrNull(null)).toBeNull()
    expect(instantOrNull(0)).toBe('1970-01-01T00:00:00.000Z')
  })
})
