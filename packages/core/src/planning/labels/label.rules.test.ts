import { describe, expect, it } from 'vitest'
import { labelErrors, labelNames } from './label.rules.ts'

describe('labelNames', () => {
  it('splits at commas, trims, and drops empty names and duplicates', () => {
    expect(labelNames(['a, b ,,', ' ', 'b', 'A', 'c d'])).toEqual(['a', 'b', 'A', 'c d'])
    expect(labelNames([])).toEqual([])
  })
})

describe('labelErrors', () => {
  it('accepts valid values', () => {
    const title = '😀'.repeat(255)
    expect(labelErrors({ title, color: 'teal', description: null })).toBeUndefined()
    expect(labelErrors({})).toBeUndefined()
  })

  it('returns an error for every invalid field', () => {
    const wrong = { title: `${'x'.repeat(256)},`, color: 'x', description: 'x'.repeat(1025) }
    expect(labelErrors(wrong)).toEqual({
      title: ['is too long (maximum is 255 characters)', 'is invalid'],
      color: ['must be a valid color code'],
      description: ['is too long (maximum is 1024 characters)'],
    })
    expect(labelErrors({ title: '' })).toEqual({ title: ["can't be blank"] })
  })
})
