import { expect, it } from 'vitest'
import { dayOf, monthsBefore } from './day.ts'

it('dayOf is the day in UTC', () => {
  expect(dayOf(Date.UTC(2020, 1, 29, 23, 59, 59, 999))).toBe('2020-02-29')
  expect(dayOf(Date.UTC(2020, 2, 1))).toBe('2020-03-01')
})

it.each([
  ['2020-08-29', 6, '2020-02-29'],
  ['2019-08-31', 6, '2019-02-28'],
  ['2019-03-15', 6, '2018-09-15'],
  ['2019-12-31', 1, '2019-11-30'],
  ['2019-01-31', 12, '2018-01-31'],
])('monthsBefore(%s, %i) is %s', (day, months, before) => {
  expect(monthsBefore(day, months)).toBe(before)
})
