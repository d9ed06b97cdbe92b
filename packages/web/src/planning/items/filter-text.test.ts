import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatFilter, parseFilter, toggleTerm } from './filter-text.ts'

const names = new Set(['label', 'milestone', 'author'])
const parse = (text: string) => parseFilter(text, names)

describe('the text of a filter', () => {
  it('has terms, quoted ones with blanks, and words', () => {
    const { terms, words } = parse('label:bug crash milestone:"1.0 beta"  LABEL:ui at: x:y')
    expect([...terms]).toEqual([
      ['label', ['bug', 'ui']],
      ['milestone', ['1.0 beta']],
    ])
    expect(words).toBe('crash at: x:y')
  })

  it('is written as it is read', () => {
    const text = 'label:bug label:"good first issue" crash'
    expect(formatFilter(parse(text))).toBe(text)
  })

  it('takes terms more, instead of others, and back', () => {
    const bug = parse('label:bug')
    expect(formatFilter(toggleTerm(bug, 'label', 'ui'))).toBe('label:bug label:ui')
    expect(formatFilter(toggleTerm(bug, 'label', 'bug'))).toBe('')
    const own = parse('author:kim')
    expect(formatFilter(toggleTerm(own, 'author', 'lee', { isOnly: true }))).toBe('author:lee')
  })

  it('is read again the same whatever was typed', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = formatFilter(parse(text))
        expect(formatFilter(parse(once))).toBe(once)
      }),
    )
  })
})
