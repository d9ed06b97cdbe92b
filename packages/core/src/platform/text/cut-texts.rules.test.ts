import { describe, expect, it } from 'vitest'
import { cutTexts } from './cut-texts.rules.ts'

const lengths = (texts: readonly string[]) => texts.map(({ length }) => length)

describe('cutTexts', () => {
  it('leaves texts that are short enough together', () => {
    expect(cutTexts(['a', '', 'bc'], 3)).toEqual(['a', '', 'bc'])
  })

  it('cuts the longest ones, which get what the others leave', () => {
    const texts = ['x'.repeat(10), 'y'.repeat(100), 'z'.repeat(1000)]
    expect(lengths(cutTexts(texts, 200))).toEqual([10, 95, 95])
    expect(lengths(cutTexts(texts, 300))).toEqual([10, 100, 190])
  })

  it('cuts between lines, and in long ones between characters', () => {
    expect(cutTexts(['one\ntwo\nthree'], 9)).toEqual(['one\ntwo'])
    expect(cutTexts(['a\nb😀😀😀'], 6)).toEqual(['a\nb😀'])
  })
})
