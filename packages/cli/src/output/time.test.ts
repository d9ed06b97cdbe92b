import { describe, expect, it } from 'vitest'
import { timeInWords } from './time.ts'

const now = Date.parse('2026-03-10T12:00:00Z')

describe('timeInWords', () => {
  it.each([
    ['2026-03-10T11:59:30Z', 'just now'],
    ['2026-03-10T12:00:20.500Z', 'in a moment'],
    ['2026-03-10T11:59:00Z', '1 minute ago'],
    ['2026-03-10T11:00:01Z', '59 minutes ago'],
    ['2026-03-10T11:00:00+02:00', '3 hours ago'],
    ['2026-03-09T12:00:00Z', '1 day ago'],
    ['2026-03-12T13:00:00Z', 'in 2 days'],
    ['2026-03-03T12:00:01Z', '6 days ago'],
    ['2026-03-03T12:00:00Z', '2026-03-03'],
    ['2031-01-01T00:00:00.000Z', '2031-01-01'],
  ])('says %s as %s', (text, words) => {
    expect(timeInWords(text, now)).toBe(words)
  })

  it.each([['2026-03-10'], ['2026-13-41T99:00:00Z'], ['at 2026-03-10T11:00:00Z'], ['']])(
    'leaves %j as it is',
    (text) => {
      expect(timeInWords(text, now)).toBeUndefined()
    },
  )
})
