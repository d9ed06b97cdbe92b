import { describe, expect, it } from 'vitest'
import { normalizeColor, textColorOn } from './color.rules.ts'
import { cssColors } from './css-colors.ts'

describe('normalizeColor', () => {
  it.each([
    ['#428BCA', '#428BCA'],
    [' #428bca ', '#428bca'],
    ['#a3F', '#aa33FF'],
    ['red', '#ff0000'],
    ['RebeccaPurple', '#663399'],
    ['DarkSlateGrey', '#2f4f4f'],
  ])('normalizes %s to %s', (given, kept) => expect(normalizeColor(given)).toBe(kept))

  it.each([
    '',
    '#',
    '#12',
    '#1234',
    '#12345',
    '#1234567',
    '428BCA',
    '#ggg',
    'no colour',
    'constructor',
  ])('rejects %o', (given) => expect(normalizeColor(given)).toBeUndefined())

  it('converts every CSS colour name to six digits', () => {
    expect(cssColors.size).toBe(148)
    for (const color of cssColors.values()) expect(color).toMatch(/^#[0-9a-f]{6}$/)
  })
})

describe('textColorOn', () => {
  it.each([
    ['#000000', '#FFFFFF'],
    ['#428BCA', '#FFFFFF'],
    ['#FF0000', '#FFFFFF'],
    ['#FFFFFF', '#333333'],
    ['#ffff00', '#333333'],
    // The sums of their components are 500 and 501.
    ['#fff500', '#FFFFFF'],
    ['#fff600', '#333333'],
  ])('on %s is %s', (color, text) => expect(textColorOn(color)).toBe(text))
})
