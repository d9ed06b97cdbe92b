import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareBranches, nameMatcher } from './branch.rules.ts'

describe('nameMatcher', () => {
  const names = ['feature', 'feature/one', 'my-feature', 'Other']
  const find = (search: string) => names.filter(nameMatcher(search))

  it('finds a term anywhere, whatever its case', () => {
    expect(find('FEATURE')).toEqual(['feature', 'feature/one', 'my-feature'])
  })

  it('holds ^ to the start and $ to the end', () => {
    expect(find('^feature')).toEqual(['feature', 'feature/one'])
    expect(find('feature$')).toEqual(['feature', 'my-feature'])
    expect(find('^feature$')).toEqual(['feature'])
  })

  it('finds everything for a bare anchor, and takes pattern characters as they are', () => {
    expect(find('^')).toEqual(names)
    expect(find('.*')).toEqual([])
  })
})

describe('compareBranches', () => {
  const branch = fc.record({ name: fc.string(), committedAt: fc.integer({ min: 0, max: 3 }) })
  const order = fc.constantFrom('name', 'updated_asc', 'updated_desc')

  it('orders totally', () => {
    fc.assert(
      fc.property(order, branch, branch, (by, a, b) => {
        expect(Math.sign(compareBranches(by, a, b))).toBe(-Math.sign(compareBranches(by, b, a)) + 0)
      }),
    )
  })

  it('puts the newest first for updated_desc', () => {
    const old = { name: 'a', committedAt: 1 }
    const young = { name: 'b', committedAt: 2 }
    expect([old, young].sort((a, b) => compareBranches('updated_desc', a, b))).toEqual([young, old])
  })
})
