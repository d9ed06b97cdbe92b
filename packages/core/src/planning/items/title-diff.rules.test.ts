import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markTitleChange } from './title-diff.rules.ts'

describe('markTitleChange', () => {
  it.each([
    ['Fix the old bug', 'Fix a new bug', 'Fix {-the old-} bug', 'Fix {+a new+} bug'],
    ['a', 'b', '{-a-}', '{+b+}'],
    ['Fix', 'Fix it', 'Fix', 'Fix{+ it+}'],
    ['Fix it', 'Fix', 'Fix{- it-}', 'Fix'],
    ['aa', 'aaa', 'aa', 'aa{+a+}'],
    ['same', 'same', 'same', 'same'],
    ['😀', '😁', '{-😀-}', '{+😁+}'],
  ])('marks %j to %j', (before, after, from, to) => {
    expect(markTitleChange(before, after)).toEqual({ from, to })
  })

  it('adds only one mark to each title', () => {
    const title = fc.string({ unit: 'grapheme' }).filter((text) => !/[{}]/.test(text))
    fc.assert(
      fc.property(title, title, (before, after) => {
        const { from, to } = markTitleChange(before, after)
        expect(from.replace('{-', '').replace('-}', '')).toBe(before)
        expect(to.replace('{+', '').replace('+}', '')).toBe(after)
        expect(from.replace(/\{-.*-\}/s, '')).toBe(to.replace(/\{\+.*\+\}/s, ''))
      }),
    )
  })
})
