import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDay } from './day.rules.ts'

/** A Monday. */
const today = '2019-03-11'

describe('parseDay', () => {
  it.each([
    ['2019-04-01', '2019-04-01'],
    ['2019-4-1', '2019-04-01'],
    ['2020-02-29', '2020-02-29'],
    ['today', '2019-03-11'],
    ['Tomorrow', '2019-03-12'],
    ['in 2 days', '2019-03-13'],
    ['in a week', '2019-03-18'],
    ['2 weeks from now', '2019-03-25'],
    ['next week', '2019-03-18'],
    ['next month', '2019-04-11'],
    ['in 2 years', '2021-03-11'],
    ['friday', '2019-03-15'],
    ['this Friday', '2019-03-15'],
    ['next friday', '2019-03-22'],
    ['monday', '2019-03-18'],
    ['next monday', '2019-03-18'],
    ['December 31st', '2019-12-31'],
    ['31 Dec', '2019-12-31'],
    ['January 1', '2020-01-01'],
    ['March 11, 2016', '2016-03-11'],
    ['11th march 2016', '2016-03-11'],
    ['Feb 29', '2020-02-29'],
  ])('%j is %s', (text, day) => {
    expect(parseDay(text, today)).toBe(day)
  })

  it.each([
    '',
    'soon',
    '2019-02-29',
    '2019-13-01',
    '2019-00-10',
    '0000-01-01',
    'February 30',
    'march',
    '11',
    'in 0.5 days',
    'in 9999 years',
    'x'.repeat(1000),
    '31st 31st',
  ])('%j is not valid', (text) => {
    expect(parseDay(text, today)).toBeUndefined()
  })

  it('clamps to the end of shorter months', () => {
    expect(parseDay('next month', '2019-01-31')).toBe('2019-02-28')
    expect(parseDay('in 1 year', '2020-02-29')).toBe('2021-02-28')
  })

  it('returns existing days, or undefined', () => {
    const words = fc.array(
      fc.constantFrom(
        'in',
        'next',
        '1',
        '31',
        '9999',
        'day',
        'weeks',
        'months',
        'feb',
        'may',
        '2019',
      ),
    )
    fc.assert(
      fc.property(words, (some) => {
        const day = parseDay(some.join(' '), today)
        if (day !== undefined) {
          expect(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10)).toBe(day)
        }
      }),
    )
  })
})
