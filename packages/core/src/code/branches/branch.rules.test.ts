import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameMatcher } from './branch.rules.ts'

describe('nameMatcher', () => {
  const names = ['feature', 'feature/one', 'my-feature', 'Other']
  const find = (search: string) => names.filter(nameMatcher(search))

  it('finds a substring, case-insensitively', () => {
    expect(find('FEATURE')).toEqual(['feature', 'feature/one', 'my-feature'])
  })

  it('anchors ^ at the start and $ at the end', () => {
    expect(find('^feature')).toEqual(['feature', 'feature/one'])
    expect(find('feature$')).toEqual(['feature', 'my-feature'])
    expect(find('^feature$')).toEqual(['feature'])
  })

  it('matches everything for a lone anchor, and takes pattern characters literally', () => {
    expect(find('^')).toEqual(names)
    expect(find('.*')).toEqual([])
  })

  it('agrees with a regular expression of the escaped term', () => {
    const letter = fc.constantFrom('a', 'b', 'A', '/', '.', '-')
    const text = fc.array(letter, { minLength: 1, maxLength: 5 }).map((letters) => letters.join(''))
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), text, text, (start, end, term, name) => {
        const [before, after] = [start ? '^' : '', end ? '$' : '']
        const escaped = term.replaceAll('.', '\\.')
        const model = new RegExp(`${before}${escaped}${after}`, 'i')
        const search = `${before}${term}${after}`
        expect(nameMatcher(search)(name)).toBe(model.test(name))
      }),
      { numRuns: 500 },
    )
  })
})
