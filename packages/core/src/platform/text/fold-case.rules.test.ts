import { expect, it } from 'vitest'
import { foldCase } from './fold-case.rules.ts'

it.each([
  ['ΟΔΟΣΑ', 'ΟΔΟΣ'],
  ['οδός', 'ΟΔΌΣ'],
  ['İstanbul', 'İS'],
  ['Straße', 'STRAẞE'],
  ['\u212a', 'k'],
  ['a\r\nB', '\r\nb'],
])('foldCase finds %s by a part of it: %s', (text, part) => {
  expect(foldCase(text)).toContain(foldCase(part))
})
